// Judge lets Go's own libraries for transparency logs look at what the ledger makes.
//
// It reads JSON lines from stdin and answers each with a line: "ok", or what is wrong.
package main

import (
	"bufio"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type question struct {
	Kind    string      `json:"kind"`
	Note    string      `json:"note"`
	Key     string      `json:"key"`
	Message []byte      `json:"message"`
	Index   int64       `json:"index"`
	Old     int64       `json:"old"`
	OldRoot tlog.Hash   `json:"old_root"`
	Size    int64       `json:"size"`
	Root    tlog.Hash   `json:"root"`
	Proof   []tlog.Hash `json:"proof"`
}

// A cosigner checks lines of C2SP tlog-cosignature, kind 04, which the library leaves to others.
type cosigner struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func newCosigner(vkey string) (*cosigner, error) {
	parts := strings.SplitN(vkey, "+", 3)
	if len(parts) != 3 {
		return nil, fmt.Errorf("no key: %s", vkey)
	}
	hash, err := strconv.ParseUint(parts[1], 16, 32)
	if err != nil {
		return nil, err
	}
	raw, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil {
		return nil, err
	}
	if len(raw) != 33 || raw[0] != 4 {
		return nil, fmt.Errorf("no key of a witness: %s", vkey)
	}
	id := sha256.Sum256(append([]byte(parts[0]+"\n"), raw...))
	if binary.BigEndian.Uint32(id[:4]) != uint32(hash) {
		return nil, fmt.Errorf("the key ID does not fit: %s", vkey)
	}
	return &cosigner{parts[0], uint32(hash), raw[1:]}, nil
}

func (c *cosigner) Name() string    { return c.name }
func (c *cosigner) KeyHash() uint32 { return c.hash }
func (c *cosigner) Verify(text, signature []byte) bool {
	if len(signature) != 8+ed25519.SignatureSize {
		return false
	}
	seconds := binary.BigEndian.Uint64(signature)
	message := fmt.Sprintf("cosignature/v1\ntime %d\n%s", seconds, text)
	return ed25519.Verify(c.key, []byte(message), signature[8:])
}

func judge(q question) error {
	switch q.Kind {
	case "note":
		verifier, err := note.NewVerifier(q.Key)
		if err != nil {
			return err
		}
		_, err = note.Open([]byte(q.Note), note.VerifierList(verifier))
		return err
	case "cosignature":
		verifier, err := newCosigner(q.Key)
		if err != nil {
			return err
		}
		_, err = note.Open([]byte(q.Note), note.VerifierList(verifier))
		return err
	case "inclusion":
		return tlog.CheckRecord(q.Proof, q.Size, q.Root, q.Index, tlog.RecordHash(q.Message))
	case "consistency":
		return tlog.CheckTree(q.Proof, q.Size, q.Root, q.Old, q.OldRoot)
	}
	return fmt.Errorf("there is no question %q", q.Kind)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var q question
		err := json.Unmarshal(lines.Bytes(), &q)
		if err == nil {
			err = judge(q)
		}
		if err != nil {
			fmt.Println(err)
		} else {
			fmt.Println("ok")
		}
	}
}
