import {
  type Action,
  isOver,
  ownerActions,
  readVault,
  returnedIn,
  type Vault,
  type VaultState,
  vaultOf,
} from "@tessera/client/vault";
import { copyable, h, mono, note } from "./dom";
import { accountOf, faultOf, mined, rpcOf, type Wallet, watchWallets } from "./wallet";
import { NETWORK, termRows, usdc } from "./words";

/** The page in order: a vault file, the vault, a wallet, then the transactions that the wallet may send. */
type Connected = { wallet: Wallet; account: string; state: VaultState | null };

const app = document.querySelector("#app") as HTMLElement;
let wallets: readonly Wallet[] = [];
let vault: Vault | null = null;
let connected: Connected | null = null;
let said: HTMLElement | null = null;
let pasted = "";
let isBusy = false;
/** Rendered once per vault, so that redrawing closes no opened section. */
let fixed: HTMLElement[] = [];

function draw(): void {
  app.replaceChildren(...(vault === null ? [fileCard()] : [vaultCard(vault), ...fixed]));
}

/** Focuses new content, for keyboards and screen readers. */
function focus(): void {
  const target = said ?? app.querySelector("h2");
  if (target instanceof HTMLElement) target.focus();
}

/** Runs one action at a time and removes the previous message. */
async function during(work: () => Promise<HTMLElement | null>): Promise<void> {
  const of = vault;
  isBusy = true;
  said = null;
  draw();
  let result: HTMLElement | null;
  try {
    result = await work();
  } catch (thrown) {
    const { isRejected, message } = faultOf(thrown);
    result = isRejected
      ? note("", "You rejected the request. Nothing was sent.")
      : note("bad", `The wallet reported: ${message}`);
  }
  isBusy = false;
  // The page shows another vault by now, so the result is dropped.
  if (vault !== of) return draw();
  said = result;
  draw();
  focus();
}

function read(text: string): void {
  pasted = text;
  try {
    vault = vaultOf(text);
    fixed = [termsCard(vault), elsewhereCard(vault)];
    said = null;
  } catch (thrown) {
    said = note("bad", faultOf(thrown).message);
  }
  draw();
  focus();
}

function fileCard(): HTMLElement {
  const text = h("textarea", { id: "text", spellcheck: "false", placeholder: '{ "address": "0x…", "terms": { … } }' });
  (text as HTMLTextAreaElement).value = pasted;
  const file = h("input", {
    id: "file",
    type: "file",
    accept: ".json,application/json",
    change: () => {
      const [chosen] = (file as HTMLInputElement).files ?? [];
      chosen?.text().then(read, (thrown) => {
        said = note("bad", `The file cannot be read: ${faultOf(thrown).message}`);
        draw();
      });
    },
  });
  const check = () => read((text as HTMLTextAreaElement).value);
  return h(
    "section",
    { class: "card lift" },
    h("h2", { tabindex: "-1" }, "The vault's terms"),
    h("div", {}, h("label", { for: "file" }, "Choose the file that you saved (vault.json)"), file),
    h("div", {}, h("label", { for: "text" }, "Or paste its content"), text),
    said,
    h("div", { class: "buttons" }, h("button", { type: "button", class: "primary", click: check }, "Check the terms")),
  );
}

function vaultCard(of: Vault): HTMLElement {
  const state = connected?.state ?? null;
  const isWrong = state?.code === "other_code";
  return h(
    "section",
    { class: "card lift" },
    h("h2", { tabindex: "-1" }, "In the vault"),
    h("p", { class: "big" }, state ? usdc(state.balance) : "—", h("small", {}, "USDC")),
    state ? null : h("p", { class: "muted" }, "Connect your wallet to see what is in the vault."),
    state && facts(state),
    isWrong &&
      note("bad", "The code at this address is not the published code of a vault. Do not send anything there."),
    connected && ownerNote(of, connected),
    said,
    h("div", { class: "buttons" }, ...(connected ? sendButtons(of, connected) : connectButtons(of))),
  );
}

function facts({ code, counts, isRevoked, allowance }: VaultState): HTMLElement {
  const rows = [
    ["Vault", code === "not_open" ? "Not open" : isRevoked ? "Revoked" : "Open"],
    ...(counts
      ? [
          ["Came in", `${usdc(counts.funded)} USDC`],
          ["Paid or returned", `${usdc(counts.spent)} USDC`],
        ]
      : []),
    ["May still draw from your wallet", `${usdc(allowance)} USDC`],
  ];
  return h("dl", {}, ...rows.flatMap(([name = "", text = ""]) => [h("dt", {}, name), h("dd", {}, text)]));
}

const isOwner = ({ terms }: Vault, { account }: Connected) => terms.owner.toLowerCase() === account;

function ownerNote(of: Vault, now: Connected): HTMLElement | null {
  if (isOwner(of, now)) return null;
  const what =
    now.state && isOver(of, now.state) ? "It may send the money home, to the owner" : "It may not take the money out";
  return note("warn", "The wallet's account ", mono(now.account), ` is not the owner. ${what}.`);
}

function connectButtons(of: Vault): HTMLElement[] {
  if (wallets.length === 0) {
    const help =
      "No wallet found in this browser. If this page is a file on your disk, allow your wallet's extension to access files, or send one of the transactions below from elsewhere.";
    return [note("warn", help)];
  }
  return wallets.map((wallet) => button(`Connect ${wallet.name}`, () => connect(of, wallet), "primary"));
}

const button = (text: string, work: () => Promise<HTMLElement | null>, kind = "") =>
  h("button", { type: "button", class: kind, disabled: isBusy, click: () => void during(work) }, text);

async function connect(of: Vault, wallet: Wallet): Promise<HTMLElement | null> {
  const account = await accountOf(rpcOf(wallet));
  connected = { wallet, account, state: null };
  return refresh(of, connected);
}

/** Reads the chain through the wallet. Returns a warning if the wallet is on another chain. */
async function refresh(of: Vault, now: Connected): Promise<HTMLElement | null> {
  const rpc = rpcOf(now.wallet);
  const chainId = Number(await rpc("eth_chainId", []));
  now.state = chainId === of.chainId ? await readVault(rpc, of) : null;
  return now.state ? null : note("warn", `Your wallet is on chain ${chainId}. The vault is on ${NETWORK[of.network]}.`);
}

async function change(of: Vault, now: Connected): Promise<HTMLElement | null> {
  await rpcOf(now.wallet)("wallet_switchEthereumChain", [{ chainId: `0x${of.chainId.toString(16)}` }]);
  return refresh(of, now);
}

function sendButtons(of: Vault, now: Connected): HTMLElement[] {
  const { state } = now;
  const again = button("Read the chain again", () => refresh(of, now));
  if (!state) return [button(`Switch to ${NETWORK[of.network]}`, () => change(of, now), "primary"), again];
  if (state.code === "other_code") return [];
  const amount = usdc(state.balance);
  const isOpen = state.code === "open";
  const mayWithdraw = isOpen && state.balance > 0n && (isOwner(of, now) || isOver(of, state));
  const texts: Record<Action["name"], string | false> = {
    revoke: isOpen && isOwner(of, now) && !state.isRevoked && `Revoke the mandate and return ${amount} USDC`,
    withdraw: mayWithdraw && `Return ${amount} USDC to the owner`,
    open: !isOpen && state.balance > 0n && "Open the vault, to return what is there",
    cancelAllowance: isOwner(of, now) && state.allowance > 0n && "Cancel the allowance",
  };
  const buttons = ownerActions(of).flatMap((action) => {
    const text = texts[action.name];
    return text ? [{ text, action }] : [];
  });
  return [
    ...buttons.map(({ text, action }, at) => button(text, () => send(of, now, action), at === 0 ? "primary" : "")),
    again,
  ];
}

async function send(of: Vault, now: Connected, { to, data }: Action): Promise<HTMLElement | null> {
  const rpc = rpcOf(now.wallet);
  // The wallet may have switched networks meanwhile.
  const elsewhere = await refresh(of, now);
  if (elsewhere) return elsewhere;
  const transaction = { from: now.account, to, data, value: "0x0", chainId: `0x${of.chainId.toString(16)}` };
  let hash: unknown;
  try {
    hash = await rpc("eth_sendTransaction", [transaction]);
  } catch (thrown) {
    const { isRejected, message } = faultOf(thrown);
    if (isRejected) throw thrown;
    return note(
      "warn",
      `The wallet reported: ${message}. See in your wallet whether it sent the transaction before you send another.`,
    );
  }
  said = note("", "Sent. Waiting for the chain: ", mono(String(hash)));
  draw();
  try {
    const receipt = await mined(rpc, hash);
    if (Number(receipt.status) !== 1)
      return note("bad", "The transaction failed. It moved nothing. ", mono(String(hash)));
    await refresh(of, now);
    return outcome(of, returnedIn(of, receipt), now.state);
  } catch (thrown) {
    const why = `The wallet reported: ${faultOf(thrown).message}.`;
    const unknown = "The transaction was sent, and its end is not known. Look it up before you send another: ";
    return note("warn", `${why} ${unknown}`, mono(String(hash)));
  }
}

/** Reports only what the chain shows. */
function outcome(of: Vault, returned: bigint, state: VaultState | null): HTMLElement {
  const revoked = state?.isRevoked ? "The mandate is revoked. " : "";
  if (returned > 0n) {
    return note("good", `${revoked}${usdc(returned)} USDC went to the owner, `, mono(of.terms.owner), ".");
  }
  const isKept = state?.isRevoked && state.balance > 0n;
  const refused = "The money is still in the vault: USDC refused the transfer, for example because it is paused.";
  return isKept ? note("warn", `${revoked}${refused} Return it later.`) : note("good", `${revoked}Done.`);
}

function termsCard(of: Vault): HTMLElement {
  const rows = termRows(of).flatMap(({ name, text, isExact }) => [
    h("dt", {}, name),
    h("dd", {}, isExact ? mono(text) : text),
  ]);
  const other = () => {
    [vault, connected, said] = [null, null, null];
    draw();
  };
  return h(
    "section",
    { class: "card" },
    h("h2", {}, "The terms"),
    note("good", "The vault's address was derived from these terms, in this page. Other terms have another address."),
    h("dl", {}, ...rows),
    h("div", { class: "buttons" }, h("button", { type: "button", click: other }, "Check other terms")),
  );
}

function elsewhereCard(of: Vault): HTMLElement {
  const calls = ownerActions(of).map(({ name, what, to, data }) =>
    h(
      "div",
      { class: "call" },
      h("p", {}, h("strong", {}, name), ` — ${what}`),
      h("p", { class: "small muted" }, "To"),
      copyable(to, `address for ${name}`),
      h("p", { class: "small muted" }, "Data"),
      copyable(data, `data of ${name}`),
    ),
  );
  return h(
    "section",
    { class: "card" },
    h("h2", {}, "Without a wallet in this browser"),
    h(
      "p",
      { class: "muted" },
      `Each of these is a transaction with 0 ETH on ${NETWORK[of.network]}. Send it from the owner's account with any tool: an explorer, a hardware wallet's software, a multisig.`,
    ),
    h("details", {}, h("summary", {}, "Transactions"), ...calls),
  );
}

watchWallets((found) => {
  wallets = found;
  // Does not redraw while the user is pasting a file.
  if (vault !== null && !isBusy) draw();
});

draw();
