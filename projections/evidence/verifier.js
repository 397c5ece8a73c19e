"use strict";
/*
 * The verifier of evidence and of balances, in a page of its own. It needs no network: hashes and
 * signatures are those of the browser (WebCrypto), and everything else is below. docs/evidence.md
 * describes each check; `gameledger evidence verify` and `verify-balance` make the same ones in the
 * same order.
 */
(() => {
  const FORMAT_OF_LINE = 1;
  const FORMAT = 2;
  const HASH_BYTES = 32;
  const KEY_BYTES = 32;
  const NONCE_BYTES = 12;
  const MARK_BYTES = 4;
  const POSITION_MAX = Number.MAX_SAFE_INTEGER;
  const MESSAGE_BYTES_MAX = 65535;
  const NUMBER_MAX = 1e15;
  const VERSION_MAX = 2 ** 31 - 1;
  const MOMENT_END = 7258118400000000;
  const DATA_BYTES_MAX = 64 * 1024 * 1024;
  const DIGEST = ',"digest":"';
  const MAP = "tag-map ";
  const BASIS = [
    "ChainOpened",
    "SchemaPublished",
    "SigningKeyAdded",
    "ClockMeasured",
    "OperatorRulesPublished",
    "RulesPublished",
    "TableOpened",
    "TableLimitsSet",
  ];
  const OF_OPENING = ["ClockMeasured", "OperatorRulesPublished", "RulesPublished", "TableOpened", "TableLimitsSet"];
  const OPENINGS = ["RoundOpened", "HandStarted"];
  const CHECKPOINT = "CheckpointSigned";
  /** Fingerprints of version 1 of `SourceRegistered` and `SourceSealed`. */
  const REGISTERS = "9a68cb37edcd6738";
  const SEALS = "d3f4635f44003924";
  const COMMAND_BYTES = 16;
  const SEAL_MARK_BYTES = 6;
  const NOTE_CHARACTERS_MAX = 65536;
  const OF_LOG = 1;
  const OF_LOG_ECDSA = 2;
  const OF_WITNESS = 4;
  const OF_WITNESS_ML_DSA = 6;
  const KEY_BYTES_OF = { [OF_LOG]: 32, [OF_LOG_ECDSA]: 91, [OF_WITNESS]: 32, [OF_WITNESS_ML_DSA]: 1312 };
  const ALGORITHMS = [undefined, "Ed25519", "ECDSA-P256"];
  /** DER of SubjectPublicKeyInfo of a key on P-256, before the coordinates of its point. */
  const P256_PREFIX = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a,
    0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
  ];
  const COSIGNATURE_BYTES = { [OF_WITNESS]: 64, [OF_WITNESS_ML_DSA]: 2420 };
  const utf8 = new TextEncoder();
  const fromUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

  class Fault extends Error {
    constructor(place, text) {
      super(`${place}: ${text}`);
      this.place = place;
      this.text = text;
    }
  }

  // Bytes

  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const bytesOf = (binary) => {
    const found = new Uint8Array(binary.length);
    for (let at = 0; at < found.length; at += 1) found[at] = binary.charCodeAt(at);
    return found;
  };
  const toBase64 = (bytes) => {
    let binary = "";
    for (const byte of bytes) binary += String.fromCharCode(byte);
    return btoa(binary);
  };
  const base64url = (bytes) =>
    toBase64(bytes).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  const isEqual = (one, other) =>
    one.length === other.length && one.every((byte, at) => byte === other[at]);
  const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

  function joined(...parts) {
    const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  function bigEndian(number) {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, BigInt(number));
    return bytes;
  }

  function split(hashes) {
    const found = [];
    for (let at = 0; at < hashes.length; at += HASH_BYTES) {
      found.push(hashes.subarray(at, at + HASH_BYTES));
    }
    return found;
  }

  // The data part: JSON in one form. A reader takes a value of it or throws.

  const wrong = (why) => {
    throw new Fault("data", `this is no data part of format 1 or 2 (${why})`);
  };
  const text = (value) => {
    if (typeof value !== "string") wrong("no text");
    try {
      encodeURIComponent(value);
    } catch {
      wrong("half a sign");
    }
    return value;
  };
  const integer = (least, most) => (value) =>
    Number.isSafeInteger(value) && value >= least && value <= most ? value : wrong("a number");
  const position = integer(0, POSITION_MAX);
  const moment = integer(0, MOMENT_END - 1);
  const orNull = (read) => (value) => (value === null ? null : read(value));
  const listOf = (read) => (value) => (Array.isArray(value) ? value.map(read) : wrong("no list"));
  const tuple = (...readers) => (value) =>
    Array.isArray(value) && value.length === readers.length
      ? readers.map((read, at) => read(value[at]))
      : wrong("an entry");
  const object = (readers) => (value) => {
    const names = Object.keys(readers);
    if (value === null || typeof value !== "object" || Array.isArray(value)) wrong("no object");
    if (Object.keys(value).join() !== names.join()) wrong("other fields");
    return Object.fromEntries(names.map((name) => [name, readers[name](value[name])]));
  };
  const bytes = (length) => (value) => {
    let binary = "";
    try {
      binary = atob(text(value));
    } catch {
      wrong("no base64");
    }
    if (btoa(binary) !== value) wrong("base64 in another form");
    if (length !== undefined && binary.length !== length) wrong("bytes of another length");
    return bytesOf(binary);
  };
  const valueOfTag = tuple(integer(1, POSITION_MAX), position, bytes(HASH_BYTES));
  const completeness = {
    value: orNull(valueOfTag),
    other: orNull(tuple(bytes(HASH_BYTES), valueOfTag)),
    siblings: bytes(),
    begin: position,
    entries: bytes(),
  };
  const readCompleteness = {
    [FORMAT_OF_LINE]: object(completeness),
    [FORMAT]: object({ ...completeness, checkpoint: position }),
  };
  const readEvidence = (format, isSealed) => object({
    evidence: integer(format, format),
    made_by: text,
    subject: object({ tag: text, account: text, first: orNull(moment), end: orNull(moment) }),
    note: text,
    witnesses: listOf(text),
    stamps: listOf(tuple(text, bytes())),
    messages: listOf(tuple(position, bytes(MARK_BYTES), bytes())),
    withheld: listOf(tuple(position, bytes(HASH_BYTES))),
    tree: bytes(),
    completeness: readCompleteness[format],
    opened: listOf(tuple(position, text, orNull(bytes(KEY_BYTES)))),
    ...(isSealed ? { origin: listOf(tuple(position, bytes())) } : {}),
    digest: bytes(HASH_BYTES),
  });

  function readData(data) {
    if (data.length > DATA_BYTES_MAX) wrong(`more than ${DATA_BYTES_MAX} bytes`);
    let parsed;
    try {
      parsed = JSON.parse(data);
    } catch {
      wrong("no JSON");
    }
    const again = JSON.stringify(parsed).replace(
      /[<>&\u007f-\uffff]/g,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    if (again !== data) wrong("it is not written in the one form that it has");
    const isFormat = [FORMAT_OF_LINE, FORMAT].includes(parsed?.evidence);
    const isSealed = parsed?.origin !== undefined;
    const evidence = readEvidence(isFormat ? parsed.evidence : FORMAT_OF_LINE, isSealed)(parsed);
    if (evidence.origin?.length === 0) wrong("it names no seals of sources");
    const { tag, first, end } = evidence.subject;
    if (!/^(round|account):./s.test(tag)) wrong("it is about neither a round nor an account");
    if (tag.startsWith("round:") && (first !== null || end !== null)) wrong("a round has no period");
    if (evidence.withheld.length && !evidence.subject.account) {
      wrong("messages are withheld, and no participant is named");
    }
    if (new Set(evidence.witnesses).size < evidence.witnesses.length) wrong("a witness is named twice");
    return evidence;
  }

  // The tree (RFC 6962)

  const leafHash = (message) => sha256(joined([0], message));
  const nodeHash = (left, right) => sha256(joined([1], left, right));

  function half(size) {
    let found = 1;
    while (found * 2 < size) found *= 2;
    return found;
  }

  /** The root over some leaves, [index, hash] in ascending order, and the hashes beside them. */
  async function rootWith(leaves, size, proof, place) {
    const cut = () => {
      throw new Fault(place, "leaves and proof do not belong together: it was cut or altered");
    };
    let used = 0;
    const walk = async (some, first, end) => {
      if (!some.length) return used < proof.length ? proof[used++] : cut();
      if (end - first === 1) return some[0][1];
      const middle = first + half(end - first);
      const border = some.findIndex(([index]) => index >= middle);
      const at = border < 0 ? some.length : border;
      const left = await walk(some.slice(0, at), first, middle);
      return nodeHash(left, await walk(some.slice(at), middle, end));
    };
    if (leaves.some(([index]) => index >= size)) cut();
    if (!size) return proof.length ? cut() : sha256(new Uint8Array());
    const found = await walk(leaves, 0, size);
    return used === proof.length ? found : cut();
  }

  // Messages: Avro single-object encoding, one encoding of each value

  class Unreadable extends Error {}

  class Cursor {
    constructor(message) {
      this.message = message;
      this.at = 0;
    }

    take(length) {
      const end = this.at + length;
      if (length < 0 || end > this.message.length) throw new Unreadable();
      const found = this.message.subarray(this.at, end);
      this.at = end;
      return found;
    }

    long(bits = 64n) {
      let value = 0n;
      let shift = 0n;
      for (;;) {
        const [byte] = this.take(1);
        value |= BigInt(byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
          if (byte === 0 && shift > 0n) throw new Unreadable();
          break;
        }
        shift += 7n;
        if (shift > 63n) throw new Unreadable();
      }
      if (value >> bits) throw new Unreadable();
      const found = (value >> 1n) ^ -(value & 1n);
      const isSmall = found >= -BigInt(POSITION_MAX) && found <= BigInt(POSITION_MAX);
      return isSmall ? Number(found) : found;
    }

    value(type) {
      if (Array.isArray(type)) {
        const [branch] = this.take(1);
        if (branch !== 0 && branch !== 2) throw new Unreadable();
        return branch ? this.value(type[1]) : null;
      }
      if (type.type === "fixed") return this.take(type.size);
      if (type.type === "array") return this.items(type.items);
      if (type === "long") return this.long();
      if (type === "int") return this.long(32n);
      if (type === "bytes") return this.take(Number(this.long()));
      if (type === "string") return fromUtf8.decode(this.take(Number(this.long())));
      const [byte] = this.take(1);
      if (type !== "boolean" || byte > 1) throw new Unreadable();
      return byte === 1;
    }

    items(type) {
      const count = this.long();
      if (count < 0 || count > this.message.length) throw new Unreadable();
      if (!count) return [];
      const found = Array.from({ length: count }, () => this.value(type));
      if (this.take(1)[0] !== 0) throw new Unreadable();
      return found;
    }
  }

  const ENVELOPE = [
    ["previous_hash", { type: "fixed", name: "Hash", size: 32 }],
    ["command_id", { type: "fixed", name: "CommandId", size: 16 }],
    ["command_digest", { type: "fixed", name: "CommandDigest", size: 16 }],
    ["position", "long"],
    ["decision_index", "int"],
    ["decision_size", "int"],
    ["recorded_at", "long", "microseconds"],
    ["occurred_at", "long", "microseconds"],
    ["actor", "string"],
    ["source", "string"],
  ].map(([name, type, unit]) => (unit ? { name, type, unit } : { name, type }));
  const strings = (...names) => names.map((name) => ({ name, type: "string" }));
  const GIVEN = [
    {
      name: "ChainOpened",
      facts: [
        ...strings("operator", "operator_name", "chain"),
        { name: "format_version", type: "int" },
        ...strings("hash_algorithm"),
      ],
    },
    {
      name: "SchemaPublished",
      facts: [
        ...strings("name"),
        { name: "version", type: "int" },
        ...strings("fingerprint", "schema"),
      ],
    },
  ];
  const PLAIN = ["boolean", "int", "long", "bytes", "string"];

  function isPlain(type) {
    if (Array.isArray(type)) {
      return type.length === 2 && type[0] === "null" && PLAIN.includes(type[1]);
    }
    if (type && type.type === "array") return ["string", "long"].includes(type.items);
    return PLAIN.includes(type);
  }

  /** Whether a field with the unit of moments is of a type that they have. */
  const isTimed = ({ unit, type }) => unit !== "microseconds" || ["long", "null,long"].includes(`${type}`);

  /** A type in one form: the keys of an object may stand in any order. */
  const shapeOf = (type) =>
    JSON.stringify(type?.size ? [type.type, type.name, type.size, Object.keys(type).length] : type);

  function canonicalType(type) {
    if (type.type === "fixed") {
      return `{"name":"gameledger.${type.name}","type":"fixed","size":${type.size}}`;
    }
    if (type.type === "array") return `{"type":"array","items":"${type.items}"}`;
    return JSON.stringify(type);
  }

  /** Parsing canonical form, as the Avro specification has it, of a record of the format. */
  const canonical = (name, fields) =>
    `{"name":"gameledger.${name}","type":"record","fields":[${fields
      .map((field) => `{"name":"${field.name}","type":${canonicalType(field.type)}}`)
      .join(",")}]}`;

  const EMPTY = 0xc15d213aa4d7a795n;
  const CRC = Array.from({ length: 256 }, (_, byte) => {
    let found = BigInt(byte);
    for (let bit = 0; bit < 8; bit += 1) found = (found >> 1n) ^ (found & 1n ? EMPTY : 0n);
    return found;
  });

  const fingerprints = new Map();

  /** CRC-64-AVRO, least significant byte first, in hexadecimal. */
  function fingerprint(form) {
    if (!fingerprints.has(form)) {
      let crc = EMPTY;
      for (const byte of utf8.encode(form)) {
        crc = (crc >> 8n) ^ CRC[Number((crc ^ BigInt(byte)) & 0xffn)];
      }
      const found = bigEndian(crc).reverse();
      fingerprints.set(form, hex(found));
    }
    return fingerprints.get(form);
  }

  /** The fields of a message, which ends behind them. */
  function recordIn(message, fields, fault) {
    const cursor = new Cursor(message);
    cursor.at = 10;
    const record = {};
    if (message.length > MESSAGE_BYTES_MAX) fault(`it has more than ${MESSAGE_BYTES_MAX} bytes`);
    try {
      for (const { name, type } of fields) record[name] = cursor.value(type);
    } catch {
      fault("its facts can't be read, or are not encoded in the one way that there is");
    }
    if (cursor.at !== message.length) fault("it goes on behind its facts");
    for (const { name, unit } of fields) {
      const value = record[name];
      if (unit === "microseconds" && value !== null && !(value >= 0 && value < MOMENT_END)) {
        fault(`its ${name} is no moment from 1970 to 2199`);
      }
    }
    return record;
  }

  /** What the chain says of itself, message by message. */
  class Chain {
    constructor(name) {
      this.name = name;
      this.schemas = new Map();
      this.keys = new Map();
      this.recordedAt = 0;
      for (const { name: type, facts } of GIVEN) {
        const fields = [...ENVELOPE, ...facts];
        this.schemas.set(fingerprint(canonical(type, fields)), { name: type, fields });
      }
    }

    async read(at, hash, message) {
      const fault = (why) => {
        throw new Fault(`message ${at}`, why);
      };
      const schema = this.schemas.get(hex(message.subarray(2, 10)));
      if (message[0] !== 0xc3 || message[1] !== 0x01 || !schema) {
        fault("its schema does not stand before it");
      }
      const record = recordIn(message, schema.fields, fault);
      await this.take(at, schema.name, record, fault);
      if (record.recorded_at < this.recordedAt) fault("it was recorded before one before it");
      this.recordedAt = record.recorded_at;
      const facts = schema.fields.slice(ENVELOPE.length);
      const digits = hex(message.subarray(2, 10));
      return { at, hash, name: schema.name, digits, record, facts, tags: tagsIn(facts, record) };
    }

    async take(at, type, record, fault) {
      if ((type === "ChainOpened") !== (at === 0)) {
        fault("the chain is opened by message 0, and by no other");
      }
      if (type === "ChainOpened") {
        const { chain, format_version: version, hash_algorithm: algorithm } = record;
        if (chain !== this.name || version !== 1 || algorithm !== "RFC6962-SHA256") {
          fault("it opens another chain than the checkpoint names, or another format");
        }
      } else if (type === "SchemaPublished") {
        this.publish(record, fault);
      } else if (type === "SigningKeyAdded") {
        const kind = record.algorithm === "ECDSA-P256" ? OF_LOG_ECDSA : OF_LOG;
        const key = { kind, raw: record.public_key };
        const id = await keyId(this.name, key);
        const isKey = KEY_BYTES_OF[kind] === key.raw.length && id === record.key_id;
        if (!ALGORITHMS.includes(record.algorithm) || !isKey || this.keys.has(id)) {
          fault("it adds something that is no key, or one that was there");
        }
        this.keys.set(id, key);
      }
    }

    publish(record, fault) {
      let schema;
      try {
        schema = Object(JSON.parse(record.schema));
      } catch {
        fault("it publishes a schema that can't be read");
      }
      const fields = Array.isArray(schema.fields) ? schema.fields : [];
      const begins = ENVELOPE.every(({ name, type, unit }, at) => {
        const field = fields[at] ?? {};
        const isType = shapeOf(field.type) === shapeOf(type);
        return field.name === name && isType && field.unit === unit;
      });
      const facts = fields.slice(ENVELOPE.length);
      const names = new Set(fields.map((field) => field.name));
      if (
        !begins ||
        !facts.every((field) => /^[a-z][a-z0-9_]{0,99}$/.test(field.name) && isPlain(field.type) && isTimed(field)) ||
        names.size !== fields.length ||
        !/^[A-Z][A-Za-z0-9]{0,99}$/.test(schema.name) ||
        !(record.version >= 1 && record.version <= VERSION_MAX) ||
        schema.type !== "record" ||
        schema.namespace !== "gameledger" ||
        schema.name !== record.name ||
        schema.version !== record.version
      ) {
        fault("it publishes a schema with more than the format allows, or under a false name");
      }
      const digits = fingerprint(canonical(schema.name, fields));
      const other = this.schemas.get(digits);
      if (digits !== record.fingerprint || (other && other.text !== record.schema)) {
        fault("it publishes a schema under a false fingerprint");
      }
      this.schemas.set(digits, { name: schema.name, fields, text: record.schema });
    }
  }

  function tagsIn(facts, record) {
    const tags = new Set();
    for (const { name, tag } of facts) {
      const value = record[name];
      if (tag && Array.isArray(value)) value.forEach((one) => tags.add(`${tag}:${one}`));
      else if (tag && value) tags.add(`${tag}:${value}`);
    }
    return tags;
  }

  /** The position that a message says it has, from where it stands in it. */
  function positionIn(message) {
    const cursor = new Cursor(message);
    cursor.at = 74;
    try {
      return cursor.long();
    } catch {
      return null;
    }
  }

  // The checkpoint: a signed note (C2SP signed-note, tlog-checkpoint)

  async function keyId(name, { kind, raw }) {
    const named = kind === OF_LOG_ECDSA ? [] : joined(utf8.encode(`${name}\n`), [kind]);
    const digest = await sha256(joined(named, raw));
    return hex(digest.subarray(0, 4));
  }

  /** A public key, `<name>+<key ID>+<base64>`; null if the text is none. */
  async function readKey(line) {
    const [, name, id, encoded] = /^([^+]+)\+([^+]+)\+([A-Za-z0-9+/]+={0,2})$/.exec(line) ?? [];
    if (name === undefined || encoded.length % 4) return null;
    const bytes = bytesOf(atob(encoded));
    const key = { name, id, kind: bytes[0], raw: bytes.subarray(1) };
    const isKey = KEY_BYTES_OF[key.kind] === key.raw.length && toBase64(bytes) === encoded;
    return isKey && id === (await keyId(name, key)) ? key : null;
  }

  function readNote(note) {
    const fault = (why) => {
      throw new Fault("checkpoint", why);
    };
    const decoded = (encoded) => {
      const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/.test(encoded) && encoded.length % 4 === 0;
      return isBase64 ? bytesOf(atob(encoded)) : fault("it holds what is no base64");
    };
    const end = note.lastIndexOf("\n\n");
    if ([...note].length > NOTE_CHARACTERS_MAX) fault("it is longer than any note");
    if (/[\x00-\x09\x0b-\x1f]/.test(note)) fault("it holds a control character");
    if (end < 0 || !note.slice(end + 2).endsWith("\n")) fault("it is no signed note");
    const lines = note.slice(0, end).split("\n");
    const [name, digits, ...encoded] = lines;
    if (lines.length !== 4 || !encoded[1].startsWith(MAP) || !/^[!-*,-~]{1,128}$/.test(name) || !/^[1-9][0-9]{0,15}$/.test(digits) || Number(digits) > POSITION_MAX) {
      fault("it does not say chain, size and root");
    }
    encoded[1] = encoded[1].slice(MAP.length);
    const [root, map] = encoded.map(decoded);
    for (const [at, one] of [root, map].entries()) {
      if (one.length !== HASH_BYTES || toBase64(one) !== encoded[at]) fault("a root of it is none");
    }
    const signatures = note.slice(end + 2, -1).split("\n").map((line) => {
      const [, signer, signature] = /^\u2014 ([^ ]+) (.*)$/.exec(line) ?? fault("a signature is none");
      const raw = decoded(signature);
      if (raw.length <= 4) fault("a signature is none");
      return { signer, id: hex(raw.subarray(0, 4)), signature: raw.subarray(4) };
    });
    const body = utf8.encode(`${note.slice(0, end)}\n`);
    return { name, size: Number(digits), root, map, signatures, body };
  }

  /** The 64 bytes that WebCrypto has of a DER signature with ECDSA on P-256; null if it is none. */
  function plainEcdsa(der) {
    const numbers = [];
    let at = 2;
    if (der[0] !== 0x30 || der[1] !== der.length - 2) return null;
    for (let count = 0; count < 2; count += 1) {
      const [tag, length] = der.subarray(at, at + 2);
      const number = der.subarray(at + 2, at + 2 + length);
      const isShortest = number[0] !== 0 || number[1] >= 0x80;
      if (tag !== 2 || number.length !== length || !length || number[0] >= 0x80 || !isShortest) return null;
      const digits = number[0] === 0 ? number.subarray(1) : number;
      if (digits.length > HASH_BYTES) return null;
      numbers.push(new Uint8Array(HASH_BYTES - digits.length), digits);
      at += 2 + length;
    }
    return at === der.length ? joined(...numbers) : null;
  }

  async function hasSignedEcdsa(raw, signature, content) {
    const plain = plainEcdsa(signature);
    return plain !== null && hasSignedPlain(raw, plain, content);
  }

  async function hasSignedPlain(raw, plain, content) {
    if (!isEqual(raw.subarray(0, P256_PREFIX.length), P256_PREFIX)) return false;
    try {
      const curve = { name: "ECDSA", namedCurve: "P-256" };
      const imported = await crypto.subtle.importKey("spki", raw, curve, false, ["verify"]);
      return await crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, imported, plain, content);
    } catch {
      return false;
    }
  }

  /** Whether a signature is good; null where the browser lacks Ed25519. */
  async function hasSigned({ kind, raw }, signature, content) {
    if (kind === OF_LOG_ECDSA) return hasSignedEcdsa(raw, signature, content);
    try {
      const imported = await crypto.subtle.importKey("raw", raw, "Ed25519", false, ["verify"]);
      return await crypto.subtle.verify("Ed25519", imported, signature, content);
    } catch (error) {
      return error.name === "NotSupportedError" ? null : false;
    }
  }

  /** Check the signatures of the chain's keys; null where the browser has no Ed25519. */
  async function signersOf(checkpoint, keys, whose = "that the chain introduces") {
    const found = [];
    for (const { signer, id, signature } of checkpoint.signatures) {
      const key = signer === checkpoint.name ? keys.get(id) : undefined;
      if (!key) continue;
      const isGood = await hasSigned(key, signature, checkpoint.body);
      if (isGood === null) return null;
      if (!isGood) throw new Fault("checkpoint", `the signature of key ${id} is false`);
      const algorithm = key.kind === OF_LOG_ECDSA ? "ECDSA P-256" : "Ed25519";
      found.push({ id, algorithm, text: `${signer}+${id}+${toBase64(joined([key.kind], key.raw))}` });
    }
    if (!found.length) throw new Fault("checkpoint", `no key ${whose} signed it`);
    return found;
  }

  /**
   * Check what a witness signed (C2SP tlog-cosignature); null where the browser has no Ed25519. Of
   * ML-DSA-44, which browsers lack, the form alone is checked: isChecked is false, it never counts.
   */
  async function witnessedBy(checkpoint, keyText) {
    const fault = () => {
      throw new Fault("checkpoint", `the cosignature of ${keyText} is false, or not there`);
    };
    const key = (await readKey(keyText)) ?? fault();
    const { name, id, kind } = key;
    const signatureBytes = COSIGNATURE_BYTES[kind] ?? fault();
    const isChecked = kind === OF_WITNESS;
    let seconds = null;
    for (const line of checkpoint.signatures) {
      if (line.signer !== name || line.id !== id) continue;
      if (line.signature.length !== 8 + signatureBytes) fault();
      seconds = new DataView(line.signature.slice(0, 8).buffer).getBigUint64(0);
      const said = joined(utf8.encode(`cosignature/v1\ntime ${seconds}\n`), checkpoint.body);
      const signature = line.signature.subarray(8);
      const isGood = !isChecked || (await hasSigned(key, signature, said));
      if (isGood === null) return null;
      if (!isGood || seconds * 1000000n >= BigInt(MOMENT_END)) fault();
    }
    return seconds === null ? fault() : { name, seconds: Number(seconds), isChecked };
  }

  // Completeness: the map of tags

  async function leafOfMap(key, [count, last, root]) {
    return sha256(joined([2], key, bigEndian(count), bigEndian(last), root));
  }

  const bitOf = (key, at) => (key[at >> 3] >> (7 - (at & 7))) & 1;

  async function mapRoot({ value, other, siblings }, tag) {
    const fault = () => {
      throw new Fault("completeness", `what is said of ${tag} is no proof of it`);
    };
    const key = await sha256(utf8.encode(tag));
    const beside = split(siblings);
    if (beside.length > 256 || (value && other)) fault();
    let found = new Uint8Array(HASH_BYTES);
    if (value) {
      found = await leafOfMap(key, value);
    } else if (other) {
      const bits = Array.from({ length: beside.length }, (_, at) => at);
      if (isEqual(other[0], key) || !bits.every((at) => bitOf(other[0], at) === bitOf(key, at))) {
        fault();
      }
      found = await leafOfMap(other[0], other[1]);
    }
    return climb(key, found, beside);
  }

  /** The root of a map above a leaf, from the hashes beside its way, from below. */
  async function climb(key, leaf, beside) {
    let found = leaf;
    for (let at = beside.length - 1, next = 0; at >= 0; at -= 1, next += 1) {
      const pair = bitOf(key, at) ? [beside[next], found] : [found, beside[next]];
      found = await sha256(joined([3], ...pair));
    }
    return found;
  }

  /** The checkpoint whose map counts the events: a recorded one, or that of the note. */
  function countedBy({ completeness: { checkpoint: at } }, read, checkpoint) {
    if (at === undefined) return checkpoint;
    const record = read.find((one) => one.at === at && one.name === CHECKPOINT)?.record;
    if (!record || !(record.size >= 1 && record.size <= at) || record.map_root.length !== HASH_BYTES) {
      throw new Fault("completeness", `message ${at} is no checkpoint with a map of tags`);
    }
    return { size: record.size, map: record.map_root, at };
  }

  async function requireComplete(evidence, hashes, events, checkpoint) {
    const { subject, completeness: said } = evidence;
    const fault = (why) => {
      throw new Fault("completeness", why);
    };
    const positions = [...events.map(({ at }) => at), ...evidence.withheld.map(([at]) => at)];
    positions.sort((one, other) => one - other);
    if (!said.value) {
      if (positions.length || said.begin || said.entries.length) {
        fault(`there are events of ${subject.tag}, and it says none`);
      }
    } else {
      const entries = [];
      for (const [index, at] of positions.entries()) {
        entries.push([said.begin + index, await leafHash(joined(bigEndian(at), hashes.get(at)))]);
      }
      const root = await rootWith(entries, said.value[0], split(said.entries), "completeness");
      if (!isEqual(root, said.value[2])) {
        fault(`the events of ${subject.tag} are not those that the map of tags counts`);
      }
    }
    if (!isEqual(await mapRoot(said, subject.tag), checkpoint.map)) {
      fault(`what is said of ${subject.tag} is not in the map of tags that was signed`);
    }
    if (said.value) requirePeriod(evidence, positions, events, fault);
  }

  function requirePeriod({ subject, completeness: said }, positions, events, fault) {
    const moments = new Map(events.map(({ at, record }) => [at, record.recorded_at]));
    const begins = moments.get(positions[0]);
    const ends = moments.get(positions.at(-1));
    if (said.begin && !(subject.first !== null && begins < subject.first)) {
      fault("events before the first one shown may belong to the period");
    }
    if (said.begin + positions.length < said.value[0] && !(subject.end !== null && ends >= subject.end)) {
      fault("events behind the last one shown may belong to the period");
    }
  }

  /** Refuse what a subject does not rest on: rules of another game, limits of another table. */
  function requireBasis({ completeness }, events, basis, sources) {
    const opening = events.find(({ name }) => OPENINGS.includes(name));
    const seen = new Set();
    for (const event of basis) {
      const isCounted = event.name === CHECKPOINT && event.at === completeness.checkpoint;
      const isOfChain = isCounted || (BASIS.includes(event.name) && !OF_OPENING.includes(event.name));
      if (!isOfChain && !sources.take(event) && !(opening && isOf(opening, event, seen))) {
        throw new Fault(`message ${event.at}`, "it is neither of the subject nor something that it rests on");
      }
      seen.add(event.name);
    }
  }

  function isOf(opening, { at, name, record }, seen) {
    if (at > opening.at || seen.has(name)) return false;
    const isAlike = (field) => record[field] === opening.record[field];
    if (name === "OperatorRulesPublished" || name === "ClockMeasured") return true;
    if (name === "RulesPublished") return isAlike("game") && isAlike("plan_version");
    if (name === "TableOpened") return isAlike("table");
    const isInForce = seen.has("TableOpened") && record.effective_from <= opening.record.recorded_at;
    return name === "TableLimitsSet" && isInForce && isAlike("table");
  }

  // Seals of sources (docs/format.md)

  const contains = (bytes, part) =>
    bytes.some((_, at) => isEqual(bytes.subarray(at, at + part.length), part));
  const systemOf = ({ record }) => record.source.split("/", 1)[0];

  /** The registrations and seals of a file in the order of its messages, and what they prove. */
  class Sources {
    constructor(chain, origin, events) {
      this.chain = chain;
      this.events = events;
      this.lists = new Map(origin);
      this.systems = new Set(events.map(systemOf));
      this.registered = new Map();
      this.idle = new Set();
      this.seals = [];
    }

    /** Whether a file rests on a message: on a registration of a source of its facts, or on a seal that it names. */
    take({ at, digits, record }) {
      const { system, public_key: key, certificate } = record;
      if (digits === REGISTERS) {
        const isWhole = key.length === KEY_BYTES_OF[OF_LOG_ECDSA] && contains(certificate, key);
        const isRegistration = isWhole || !(key.length || certificate.length);
        if (!isRegistration || !this.systems.has(system) || this.idle.has(system)) return false;
        this.idle.add(system);
        this.registered.set(system, { key, certificate });
        return true;
      }
      if (digits !== SEALS || !this.registered.has(system) || !this.lists.has(at)) return false;
      this.idle.delete(system);
      this.seals.push({ at, record, ...this.registered.get(system), list: this.lists.get(at) });
      return true;
    }

    /** What is proved of the facts, by position; nothing if the file registers none of their sources. */
    async proved() {
      const fault = (why) => {
        throw new Fault("origin", why);
      };
      if (this.seals.length < this.lists.size) fault("it names a seal that it does not show");
      const marks = new Map();
      for (const { at, record } of this.events) {
        marks.set(at, (await sha256(record.command_id)).subarray(0, SEAL_MARK_BYTES));
      }
      for (const seal of this.seals) {
        const { at, record, list } = seal;
        if (!(await this.isSigned(seal))) fault(`the seal ${at} is not signed by the registered key`);
        const isWhole = list.length === Number(record.commands) * COMMAND_BYTES;
        if (list.length && !(isWhole && isEqual(await sha256(list), record.digest))) {
          fault(`the seal ${at} has not the digest of its list of commands`);
        }
        seal.numbers = new Map();
        for (const event of this.events) {
          const place = placeIn(seal, event, marks.get(event.at));
          if (place >= 0) seal.numbers.set(event.at, BigInt(record.first_number) + BigInt(place));
        }
        if (!seal.numbers.size) fault(`the seal ${at} has no command of the facts that are shown`);
      }
      const found = new Map();
      for (const event of this.registered.size ? this.events : []) {
        const system = systemOf(event);
        const seal = this.seals.find(({ numbers }) => numbers.has(event.at));
        const registration = seal ?? this.registered.get(system);
        const certificate = registration?.certificate;
        const digest = certificate?.length ? hex(await sha256(certificate)) : "";
        const number = seal?.numbers.get(event.at);
        const isWhole = Boolean(seal?.list.length);
        const isRegistered = registration !== undefined;
        found.set(event.at, { system, isRegistered, certificate: digest, number, seal: seal?.at, isWhole });
      }
      return found;
    }

    /** Whether the registered key signed a seal: a JWS with ES256, whose parts follow from the facts. */
    async isSigned({ record, key, certificate }) {
      const { system, first_number: first, commands, until, is_last: isLast, digest, marks } = record;
      if (Number(commands) * SEAL_MARK_BYTES !== marks.length || !(first >= 1 && first <= NUMBER_MAX)) return false;
      const thumbprint = base64url(await sha256(certificate));
      const header = `{"alg":"ES256","iat":${(until - (until % 1e6)) / 1e6},"x5t#S256":"${thumbprint}"}`;
      const lines = [
        "gameledger-source-seal/v1",
        ...[this.chain, system, `${first} ${commands}`, until, isLast ? "last" : "more"],
        ...[hex(digest), hex(marks)],
      ];
      const payload = lines.map((line) => `${line}\n`).join("");
      const content = [header, payload].map((part) => base64url(utf8.encode(part))).join(".");
      return record.signature.length === 64 && hasSignedPlain(key, record.signature, utf8.encode(content));
    }
  }

  /** The place of a command in a seal of its source, by its mark and, if listed, its identifier. */
  function placeIn({ record, list }, event, mark) {
    if (record.system !== systemOf(event)) return -1;
    for (let place = 0; place < record.marks.length / SEAL_MARK_BYTES; place += 1) {
      const at = place * COMMAND_BYTES;
      const listed = list.length ? list.subarray(at, at + COMMAND_BYTES) : event.record.command_id;
      const other = record.marks.subarray(place * SEAL_MARK_BYTES, (place + 1) * SEAL_MARK_BYTES);
      if (isEqual(other, mark) && isEqual(listed, event.record.command_id)) return place;
    }
    return -1;
  }

  // All of it

  /** Hash every message, and see that each stands in its place. */
  async function hashesOf({ messages, withheld, tree, completeness, origin = [] }) {
    const isAscending = (list) => list.every((at, index) => !index || list[index - 1] < at);
    const own = messages.map(([at]) => at);
    const others = withheld.map(([at]) => at);
    const all = [...own, ...others].sort((one, other) => one - other);
    if (![own, others, all].every(isAscending)) wrong("positions are not in order");
    for (const proof of [tree, completeness.siblings, completeness.entries]) {
      if (proof.length % HASH_BYTES) wrong("the hashes of a proof are not whole");
    }
    const isWhole = origin.every(([, commands]) => commands.length % COMMAND_BYTES === 0);
    if (!isWhole || !isAscending(origin.map(([at]) => at))) wrong("seals are not in order");
    const hashes = new Map();
    for (const [at, mark, message] of messages) {
      const hash = await leafHash(message);
      if (!isEqual(hash.subarray(0, MARK_BYTES), mark)) {
        throw new Fault(`message ${at}`, "its bytes are not those that its mark was made of");
      }
      if (positionIn(message) !== at) {
        throw new Fault(`message ${at}`, "it says that it stands at another position");
      }
      hashes.set(at, hash);
    }
    withheld.forEach(([at, hash]) => hashes.set(at, hash));
    return { hashes, all };
  }

  /** Open a sealed field with its disclosed key; the text is null without one. */
  async function openedBy([at, name, key], events, before) {
    const event = events.get(at);
    const field = event?.facts.find((one) => one.name === name && one.personal);
    const sealed = event?.record[name];
    const place = `${at} ${name}`;
    if (!field || !sealed?.length || before.has(place)) {
      throw new Fault("opened", `message ${at} has no sealed field ${name}, or it is opened twice`);
    }
    before.add(place);
    if (key === null) return { at, name, text: null };
    try {
      const iv = sealed.subarray(0, NONCE_BYTES);
      const additionalData = utf8.encode(`${event.record.person}|${event.name}.${name}`);
      const own = await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["decrypt"]);
      const how = { name: "AES-GCM", iv, additionalData };
      const plain = new Uint8Array(await crypto.subtle.decrypt(how, own, sealed.subarray(NONCE_BYTES)));
      if (plain.length < KEY_BYTES || plain.subarray(0, KEY_BYTES).some(Boolean)) throw new Error();
      return { at, name, text: fromUtf8.decode(plain.subarray(KEY_BYTES)) };
    } catch {
      throw new Fault("opened", `the key of message ${at} does not open its field ${name}`);
    }
  }

  /** Verify a data part; gives what it proves, or throws the first Fault. */
  async function verify(data) {
    const evidence = readData(data);
    const { hashes, all } = await hashesOf(evidence);
    const checkpoint = readNote(evidence.note);
    const leaves = all.map((at) => [at, hashes.get(at)]);
    const root = await rootWith(leaves, checkpoint.size, split(evidence.tree), "tree");
    if (!isEqual(root, checkpoint.root)) {
      throw new Fault("tree", "messages and the hashes beside them do not give the signed root");
    }
    if (all[0] !== 0) throw new Fault("message 0", "it is not there, and it says whose chain this is");
    const chain = new Chain(checkpoint.name);
    const read = [];
    for (const [at, , message] of evidence.messages) {
      read.push(await chain.read(at, hashes.get(at), message));
    }
    const signers = await signersOf(checkpoint, chain.keys);
    const witnessed = [];
    for (const key of evidence.witnesses) witnessed.push(await witnessedBy(checkpoint, key));
    const events = read.filter(({ tags }) => tags.has(evidence.subject.tag));
    const isRound = evidence.subject.tag.startsWith("round:");
    const sources = new Sources(checkpoint.name, evidence.origin ?? [], isRound ? events : []);
    const basis = read.filter(({ tags }) => !tags.has(evidence.subject.tag));
    requireBasis(evidence, events, basis, sources);
    const counted = countedBy(evidence, read, checkpoint);
    await requireComplete(evidence, hashes, events, counted);
    const opened = [];
    const [byPlace, before] = [new Map(read.map((one) => [one.at, one])), new Set()];
    for (const one of evidence.opened) opened.push(await openedBy(one, byPlace, before));
    const origins = await sources.proved();
    const end = data.lastIndexOf(DIGEST);
    if (!isEqual(await sha256(utf8.encode(data.slice(0, end))), evidence.digest)) {
      throw new Fault("digest", "the digest at the end is not that of the data part");
    }
    return { evidence, checkpoint, counted, signers, witnessed, read, events, opened, origins };
  }

  // The balance of an account at the close of a period, in a small text of its own

  const BALANCE = "gameledger balance 1";
  const BALANCE_NAMES = ["account", "amount", "accounts", "message", "count", "entries", "tags"];
  const CLOSING = [
    ...ENVELOPE,
    ...strings("period"),
    ...["size", "count", "total"].map((name) => ({ name, type: "long" })),
    { name: "root", type: "bytes" },
  ];

  function readBalance(content) {
    const fault = () => {
      throw new Fault("data", "the file is not of the form of a balance");
    };
    const end = content.indexOf("\n\n");
    const [title, ...lines] = content.slice(0, Math.max(end, 0)).split("\n");
    if (title !== BALANCE || lines.length !== BALANCE_NAMES.length) fault();
    const values = lines.map((line, at) => {
      const name = `${BALANCE_NAMES[at]} `;
      return line.startsWith(name) ? line.slice(name.length) : fault();
    });
    const decoded = (encoded) => {
      try {
        return bytes()(encoded);
      } catch {
        return fault();
      }
    };
    const number = (digits) => {
      const found = /^(0|-?[1-9][0-9]{0,18})$/.test(digits) ? BigInt(digits) : fault();
      return BigInt.asIntN(64, found) === found ? found : fault();
    };
    const [account, amount, accounts, message, count, entries, tags] = values;
    const proof = {
      account,
      amount: number(amount),
      accounts: decoded(accounts),
      message: decoded(message),
      closings: number(count),
      entries: decoded(entries),
      tags: decoded(tags),
      note: content.slice(end + 2),
    };
    const hashes = [proof.accounts, proof.entries, proof.tags];
    const isBounded = Math.max(hashes[0].length, hashes[2].length) <= 256 * HASH_BYTES;
    const isWhole = hashes.every((one) => one.length % HASH_BYTES === 0);
    const isCount = proof.closings > 0n && proof.closings <= BigInt(POSITION_MAX);
    return account && isCount && isBounded && isWhole ? proof : fault();
  }

  /**
   * Verify the text of a balance under the keys of a log that its reader trusts, a line each; without
   * keys no signature is verified. Gives what it proves, or throws the first Fault. `signers` is null
   * where the browser lacks Ed25519.
   */
  async function verifyBalance(content, lines) {
    const trusted = await Promise.all(lines.map(readKey));
    if (!trusted.every((key) => key?.kind === OF_LOG || key?.kind === OF_LOG_ECDSA)) {
      throw new Fault("keys", "a line is no public key of a log");
    }
    const proof = readBalance(content);
    const checkpoint = readNote(proof.note);
    const own = trusted.filter(({ name }) => name === checkpoint.name);
    const keys = new Map(own.map((key) => [key.id, key]));
    const signers = trusted.length ? await signersOf(checkpoint, keys, "that was given") : [];
    const { message, closings } = proof;
    const fault = (why) => {
      throw new Fault("message", why);
    };
    const form = fingerprint(canonical("BalancesClosed", CLOSING));
    if (hex(message.subarray(0, 10)) !== `c301${form}`) fault("it is no BalancesClosed of version 1");
    const closing = recordIn(message, CLOSING, fault);
    if (!(closing.position >= 0 && closing.position <= POSITION_MAX)) fault("it names no position");
    const account = await sha256(utf8.encode(proof.account));
    const leaf = await sha256(joined([4], account, bigEndian(proof.amount)));
    if (!isEqual(await climb(account, leaf, split(proof.accounts)), closing.root)) {
      throw new Fault("balance", "the account had not this balance at the close of the period");
    }
    const entry = await leafHash(joined(bigEndian(closing.position), await leafHash(message)));
    const key = await sha256(utf8.encode(`period:${closing.period}`));
    const isLast = async () => {
      const leaves = [[Number(closings) - 1, entry]];
      const root = await rootWith(leaves, Number(closings), split(proof.entries), "completeness");
      const value = await leafOfMap(key, [closings, closing.position, root]);
      return isEqual(await climb(key, value, split(proof.tags)), checkpoint.map);
    };
    if (!(await isLast())) {
      throw new Fault("completeness", "it is not shown to be the last closing of its period");
    }
    return { ...proof, closing, checkpoint, signers };
  }

  globalThis.gameledgerEvidence = { Fault, hex, verify, verifyBalance };
})();
