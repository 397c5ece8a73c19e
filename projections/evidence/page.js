"use strict";
/*
 * Shows what the verifier found: compares the facts that stand in the page with the data part, draws
 * them again from the data part alone, and folds everything else under a label: it is not checked.
 */
(() => {
  const { Fault, hex, verify } = globalThis.gameledgerEvidence;
  const { columns, events: names, values } = globalThis.gameledgerNames;
  const verdict = document.getElementById("verdict");
  const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]/g;

  function shown(value) {
    if (value instanceof Uint8Array) return hex(value);
    if (Array.isArray(value)) return value.map(shown).join(", ");
    return String(value).replace(
      CONTROL,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
  }

  function utc(microseconds) {
    const seconds = Math.floor(microseconds / 1e6);
    const rest = String(microseconds % 1e6).padStart(6, "0");
    return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${rest}Z`;
  }

  /** Compare what stands in the page with what was decoded from the proved messages. */
  function comparePage({ evidence, read }) {
    const fault = (at, what) => {
      throw new Fault("page", `what the page shows of message ${at} is not what it says (${what})`);
    };
    const rows = new Map();
    for (const row of document.querySelectorAll("[data-position]")) {
      if (rows.has(row.dataset.position)) fault(row.dataset.position, "twice");
      rows.set(row.dataset.position, row);
    }
    for (const { at, hash, name, record } of read) {
      const row = rows.get(String(at));
      if (!row) fault(at, "missing");
      const said = [name, hex(hash), String(record.recorded_at), utc(record.recorded_at)];
      const time = row.querySelector("time").getAttribute("datetime");
      const stands = [row.dataset.event, row.dataset.hash, row.dataset.recorded, time];
      said.forEach((one, index) => one === stands[index] || fault(at, stands[index]));
      const cells = [...row.querySelectorAll("[data-field]")];
      const fields = Object.entries(record);
      if (cells.length !== fields.length) fault(at, "fields");
      fields.forEach(([field, value], index) => {
        const cell = cells[index];
        const isSame = cell.dataset.field === field && cell.lastElementChild.textContent === shown(value);
        if (!isSame) fault(at, field);
      });
      rows.delete(String(at));
    }
    for (const at of rows.keys()) fault(at, "not in the data");
    const withheld = [...document.querySelectorAll("[data-withheld]")];
    const is = withheld.map((row) => `${row.dataset.withheld} ${row.dataset.hash}`).join();
    if (is !== evidence.withheld.map(([at, hash]) => `${at} ${hex(hash)}`).join()) {
      fault("?", "withheld");
    }
  }

  /** Draw facts, withheld messages and opened fields from what was verified; fold what stood there. */
  function drawProved({ evidence, read, events, opened, origins }) {
    const proved = document.createElement("section");
    proved.id = "proved";
    const heading = (czech, english) => proved.append(said("h2", czech, english));
    const { tag } = evidence.subject;
    const name = shown(tag.slice(tag.indexOf(":") + 1));
    const title = tag.startsWith("round:")
      ? said("h1", `Důkaz o herním kole ${name}`, `Evidence of round ${name}`)
      : said("h1", `Důkaz o kontě ${name}`, `Evidence of account ${name}`);
    const chain = read.find((one) => one.name === "ChainOpened").record;
    proved.append(title, element("p", `${shown(chain.operator_name)} (${shown(chain.operator)})`, "by"));
    if (events.length) {
      heading("Doložené události", "Proved facts");
      proved.append(drawRows(events, (fact) => [valuesOf(fact), ...originOf(origins.get(fact.at))]));
    }
    if (evidence.withheld.length) {
      heading("Zprávy bez obsahu", "Messages withheld");
      const rows = evidence.withheld.map(([at, hash]) => element("li", `${at} · ${hex(hash)}`));
      proved.append(listOf("ul", rows));
    }
    if (opened.length) {
      heading("Osobní údaje otevřené svým klíčem", "Personal fields opened by their keys");
      proved.append(
        listOf(
          "ul",
          opened.map(({ at, name, text }) =>
            text === null
              ? said(
                  "li",
                  `${at}, ${name}: vymazáno, jak uvádí ten, kdo soubor vyhotovil; nedoloženo`,
                  `${at}, ${name}: erased, as stated by the issuer; not proved`,
                )
              : element("li", `${at}, ${name}: ${shown(text)}`),
          ),
        ),
      );
    }
    heading("Z čeho události vycházejí", "What the facts rest on");
    const basis = document.createElement("details");
    const drawn = new Set(events);
    const others = read.filter((one) => !drawn.has(one));
    basis.append(element("summary", String(others.length)), drawRows(others, () => []));
    proved.append(basis);
    foldUnchecked(proved);
  }

  function drawRows(facts, drawValues) {
    const rows = facts.map((fact) => {
      const { at, hash, name, record } = fact;
      const row = document.createElement("li");
      const [czech, english] = names[name] ?? [name, name];
      const what = said("p", czech, english);
      what.prepend(`${at} · ${utc(record.recorded_at)} · `);
      const table = document.createElement("table");
      table.className = "fields";
      for (const [field, value] of [["hash", hash], ...Object.entries(record)]) {
        const cells = [element("th", field), element("td", shown(value))];
        cells[0].scope = "row";
        table.insertRow().append(...cells);
      }
      const fields = document.createElement("details");
      fields.append(said("summary", `Zaznamenaná pole ${name}`, `Recorded fields of ${name}`), table);
      row.append(what, ...drawValues(fact), fields);
      return row;
    });
    return listOf("ol", rows);
  }

  /**
   * The facts that have a value, each under the description of its field, by the unit of its schema;
   * a code is named in words, with what was recorded behind it.
   */
  function valuesOf({ at, facts, name, record }) {
    const list = document.createElement("dl");
    list.className = "values";
    const isMoney = !record.tournament && !record.currency;
    for (const { name: field, unit } of facts) {
      const value = record[field];
      const isEmpty = value === null || value === "" || value instanceof Uint8Array || value.length === 0;
      if (isEmpty) continue;
      const pair = document.createElement("div");
      const label = columns[`${name}.${field}`] ?? [field, field];
      let text = element("dd", shown(value));
      if (unit === "haler" && !Array.isArray(value)) {
        text = isMoney ? said("dd", `${amount(value, "\u00a0", ",")}\u00a0Kč`, `CZK\u00a0${amount(value, ",", ".")}`)
          : element("dd", amount(value, "\u00a0", "."));
      } else if (unit === "microseconds" && value >= 0) text = element("dd", utc(value));
      else if (typeof value === "boolean") text = said("dd", value ? "ano" : "ne", value ? "yes" : "no");
      else if (values[at]?.[field]) {
        const recorded = shown(value);
        const named = (word) => (word === recorded ? word : `${word} (${recorded})`);
        text = said("dd", ...values[at][field].map(named));
      }
      pair.append(said("dt", `${label[0]}: `, `${label[1]}: `), text);
      list.append(pair);
    }
    return list;
  }

  /** By whom the command of a fact was sealed, if the file registers any source. */
  function originOf(origin) {
    if (!origin) return [];
    const drawn = said("p", ...textsOf(origin));
    drawn.className = "note origin";
    return [drawn];
  }

  function textsOf({ system: name, certificate, isRegistered, number, seal, isWhole }) {
    const system = shown(name);
    if (!isRegistered) {
      return [
        `Registrace zdroje ${system || "-"} v tomto souboru není, a proto ani jeho pečeť.`,
        `This file holds no registration of source ${system || "-"}, and so no seal of it.`,
      ];
    }
    if (!certificate) return [`Zdroj ${system} pečetit neumí.`, `Its source ${system} cannot seal.`];
    if (seal === undefined) {
      return [
        `V tomto souboru není pečeť zdroje ${system}, která by příkaz obsahovala.`,
        `This file holds no seal of source ${system} that has the command.`,
      ];
    }
    const [czech, english] = isWhole
      ? ["otisk seznamu všech jejích příkazů souhlasí", "the digest over all its commands is right"]
      : ["porovnána je jen značka příkazu", "only the mark of the command was compared"];
    return [
      `Zapečetěno zdrojem ${system} pod číslem ${number}, pečeť je na pozici ${seal}; ${czech}.`,
      `Sealed by source ${system} as number ${number}, in the seal at position ${seal}; ${english}.`,
    ];
  }

  /** Hundredths with two decimals, such as "1 234,50". */
  function amount(hundredths, separator, point) {
    const digits = String(hundredths).replace("-", "").padStart(3, "0");
    const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, separator);
    return `${hundredths < 0 ? "-" : ""}${whole}${point}${digits.slice(-2)}`;
  }

  function listOf(name, rows) {
    const list = document.createElement(name);
    list.className = "facts";
    list.append(...rows);
    return list;
  }

  /** Fold whatever else the file shows under a label, so that it is not taken for what is proved. */
  function foldUnchecked(proved) {
    const main = document.querySelector("main");
    const rest = document.createElement("details");
    rest.id = "unchecked";
    for (const id of ["facts", "withheld", "opened", "basis"]) document.getElementById(id)?.remove();
    const own = new Set([main, ...document.querySelectorAll("body > script, #cs, #en, body > label")]);
    const strays = [...document.body.children].filter((one) => !own.has(one));
    rest.append(
      said(
        "summary",
        "Podání programu: věty, tabulky a obrázky. Tato stránka je NEOVĚŘILA.",
        "Presentation by the program: sentences, tables and pictures. This page did NOT check them.",
      ),
      ...[...main.children].filter((one) => one !== verdict),
      ...strays,
    );
    main.replaceChildren(verdict, proved, rest);
  }

  function element(name, text, className) {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) {
      made.className = className;
      made.lang = className;
    }
    return made;
  }

  function said(name, czech, english) {
    const made = document.createElement(name);
    made.append(element("span", czech, "cs"), element("span", english, "en"));
    return made;
  }

  function tell(className, first, lines) {
    const list = document.createElement("ul");
    list.append(...lines);
    verdict.className = className;
    verdict.replaceChildren(first, list);
  }

  function tellGood({ evidence, checkpoint, counted, signers, witnessed, read, events, origins }) {
    const { size, name } = checkpoint;
    const count = events.length + evidence.withheld.length;
    const lines = [
      said(
        "li",
        `Zpráv s přepočítaným otiskem: ${read.length}. Stojí v logu ${name}, který měl ${size} zpráv; jejich strom má podepsaný kořen.`,
        `${read.length} messages were hashed. They stand in the log ${name} of ${size} messages, whose tree has the signed root.`,
      ),
      evidence.completeness.value
        ? said(
            "li",
            `Úplnost: ${evidence.subject.tag} má v mapě prvních ${counted.size} zpráv ${evidence.completeness.value[0]} událostí, zde jich je doloženo ${count}, z toho ${evidence.withheld.length} bez obsahu.`,
            `Completeness: ${evidence.subject.tag} has ${evidence.completeness.value[0]} events in the map of the first ${counted.size} messages; ${count} are proved here, ${evidence.withheld.length} of them without their content.`,
          )
        : said("li", `${evidence.subject.tag}: žádná událost.`, `${evidence.subject.tag}: no event.`),
      said(
        "li",
        "Co je níže vidět, vykreslila tato stránka z ověřených zpráv. Věty, tabulky a obrázky sbalené pod tím NEBYLY ověřeny; porovná je gameledger evidence verify.",
        "What is seen below was drawn by this page from the verified messages. Sentences, tables and pictures folded under it were NOT checked; gameledger evidence verify compares them.",
      ),
    ];
    const key = signers
      ? said(
          "li",
          `Podpis klíčem ${signers.map(({ algorithm, text }) => `${text} (${algorithm})`).join(", ")} souhlasí. Porovnejte klíč s tím, který provozovatel zveřejnil.`,
          `The signature by key ${signers.map(({ algorithm, text }) => `${text} (${algorithm})`).join(", ")} is good. Compare the key with the one that the operator published.`,
        )
      : said(
          "li",
          "Tento prohlížeč neumí Ed25519: podpis kontrolního bodu NEBYL ověřen. Použijte novější prohlížeč nebo gameledger evidence verify.",
          "This browser lacks Ed25519: the signature of the checkpoint was NOT checked. Use a newer browser, or gameledger evidence verify.",
        );
    const others = witnessed.filter(Boolean).map(({ name, seconds, isChecked }) => {
      const when = new Date(seconds * 1000).toISOString();
      if (!isChecked) {
        return said(
          "li",
          `Spolupodpis svědka ${name} s časem ${when} je v ML-DSA-44, který prohlížeče neumějí: tato stránka ho NEOVĚŘILA a nepočítá ho. Ověří ho gameledger evidence verify i gameledger-verify.`,
          `The cosignature of witness ${name} with the time ${when} is in ML-DSA-44, which browsers lack: this page did NOT check it and does not count it. gameledger evidence verify and gameledger-verify check it.`,
        );
      }
      return said(
        "li",
        `Svědek ${name} spolupodepsal týž stav logu: ${when}. Zda mu věřit, posuďte sami.`,
        `Witness ${name} cosigned the same state of the log: ${when}. Whether to believe it is yours.`,
      );
    });
    const stamps = evidence.stamps.map(([authority]) =>
      said(
        "li",
        `Časové razítko: ${authority}. Tato stránka je neověřuje, gameledger evidence verify ano.`,
        `Time stamp: ${authority}. This page does not check it, gameledger evidence verify does.`,
      ),
    );
    const certified = new Set();
    for (const { system, certificate, seal } of origins.values()) {
      if (seal !== undefined) certified.add(`${shown(system)} ${certificate}`);
    }
    const certificates = [...certified].map((one) =>
      said(
        "li",
        `Certifikát zdroje a jeho otisk SHA-256: ${one}. Porovnejte jej s tím, který uvádí sám zdroj.`,
        `Certificate of a source, with its SHA-256: ${one}. Compare it with the one that the source itself gives.`,
      ),
    );
    lines.splice(1, 0, key, ...others, ...stamps, ...certificates);
    const first = signers
      ? said("p", "Zaznamenané události ověřeny v tomto prohlížeči, bez sítě.", "The recorded facts were verified in this browser, without a network.")
      : said("p", "Ověřeno jen zčásti.", "Verified in part only.");
    tell(signers ? "good" : "part", first, lines);
  }

  async function run() {
    try {
      const found = await verify(document.getElementById("evidence").textContent);
      comparePage(found);
      drawProved(found);
      tellGood(found);
    } catch (error) {
      const text = error instanceof Fault ? `${error.place}: ${error.text}` : String(error);
      const first = said(
        "p",
        "NESOUHLASÍ: tento soubor nedokazuje, co tvrdí.",
        "DOES NOT FIT: this file does not prove what it says.",
      );
      tell("bad", first, [element("li", text)]);
    }
    verdict.dataset.done = "true";
  }

  const unfolded = [];
  addEventListener("beforeprint", () => {
    unfolded.push(...document.querySelectorAll("details:not([open])"));
    for (const one of unfolded) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of unfolded.splice(0)) one.open = false;
  });

  run();
})();
