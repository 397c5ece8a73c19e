// Judge lets Go's own libraries for transparency logs look at what the ledger makes.
//
// It reads JSON lines from stdin and answers each with a line: "ok", or what is wrong.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

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

func judge(q question) error {
	switch q.Kind {
	case "note":
		verifier, err := note.NewVerifier(q.Key)
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
