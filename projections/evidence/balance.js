"use strict";
/* Verifies the balance that a reader pastes or opens, and shows what it proves; sends nothing. */
(() => {
  const { Fault, verifyBalance } = globalThis.gameledgerEvidence;
  const byId = (id) => document.getElementById(id);
  const verdict = byId("verdict");

  function show(kind) {
    verdict.className = kind;
    verdict.hidden = false;
    byId("proved").hidden = kind === "bad";
    for (const one of verdict.querySelectorAll("[data-verdict]")) one.hidden = one.dataset.verdict !== kind;
  }

  /** Haléř as crowns, such as "1 234,50 Kč". */
  function money(amount) {
    const size = amount < 0n ? -amount : amount;
    const whole = (size / 100n).toLocaleString("cs-CZ");
    return `${amount < 0n ? "-" : ""}${whole},${String(size % 100n).padStart(2, "0")}\u00a0Kč`;
  }

  function showProved({ account, amount, closing, closings, checkpoint, signers }) {
    const values = {
      chain: checkpoint.name,
      account,
      period: closing.period,
      balance: money(amount),
      recorded: new Date(closing.recorded_at / 1000).toISOString(),
      position: closing.position,
      closings,
      checkpoint: checkpoint.size,
      signer: signers?.map(({ text }) => text).join(", ") ?? "",
    };
    for (const [id, value] of Object.entries(values)) byId(id).textContent = value;
    const isSigned = Boolean(signers?.length);
    byId("unsigned").hidden = signers === null;
    byId("unable").hidden = signers !== null;
    show(isSigned ? "good" : "part");
  }

  async function run() {
    verdict.hidden = true;
    const lines = byId("keys").value.split("\n").map((line) => line.replace(/^public key: /, "").trim());
    try {
      // What was copied from a reader of QR codes may lack the last line feed.
      showProved(await verifyBalance(`${byId("content").value.trimEnd()}\n`, lines.filter(Boolean)));
    } catch (error) {
      byId("fault").textContent = error instanceof Fault ? `${error.place}: ${error.text}` : String(error);
      show("bad");
    }
  }

  byId("verify").addEventListener("click", run);
  byId("file").addEventListener("change", async ({ target }) => {
    byId("content").value = await target.files[0].text();
    await run();
  });
})();
