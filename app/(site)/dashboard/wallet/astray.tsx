import { RecoverButton } from "@/components/funds/recover-button";
import { LiveRefresh } from "@/components/site/live-refresh";
import { AddressTag } from "@/components/ui/address-tag";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ExplorerLink } from "@/components/ui/explorer-link";
import { Note } from "@/components/ui/note";
import { TextField } from "@/components/ui/text-field";
import { type HoldingView, type RecoveryView, toAstrayView } from "@/lib/recoveries/contract";
import { lookFor } from "@/lib/recoveries/service";
import { NETWORKS, type NetworkName } from "@/lib/x402/networks";
import type { OwnerContext } from "../../context";

const DAY_MS = 86_400_000;

export type AstrayProps = {
  ctx: OwnerContext;
  network: NetworkName;
  /** The token that the owner named. */
  token: Parameters<typeof lookFor>[2];
};

/** What is at the wallet and no payment can use: nothing is shown while there is none, and the owner has named no token. */
export async function Astray({ ctx, network, token }: AstrayProps) {
  const { label } = NETWORKS[network];
  const look = await lookFor(ctx, network, token);
  if (look.type === "unavailable")
    return token && <Note tone="warn">{label} is not responding, so it cannot be asked right now.</Note>;
  if (look.type === "usdc")
    return <Note>USDC on {label} is your balance above. Withdraw it there: mandates depend on it.</Note>;
  const { ether, tokens, named, recoveries } = toAstrayView(network, ctx.actor.address, look.astray);
  const since = ctx.now().getTime() - DAY_MS;
  const shown = recoveries.filter(({ endedAt }) => endedAt === null || endedAt.getTime() > since);
  const underWay = recoveries.find(({ outcome }) => outcome === "under_way");
  // What was just sent needs no row that says zero.
  const isGone = named?.amount === "0" && shown.some((recovery) => recovery.token === named.token);
  const others = tokens.filter((holding) => holding.token !== named?.token);
  const holdings = named && !isGone ? [...others, named] : others;
  const etherHolding = { amountFormatted: ether.amountFormatted, symbol: "ETH" };
  const hasEther = ether.sendable !== "0" && underWay === undefined;
  if (!hasEther && holdings.length === 0 && shown.length === 0 && !token) return null;
  return (
    <Card title={`Also at this address on ${label}`} className="grid gap-4 [&>header]:mb-0">
      <p className="text-small text-ink-2">
        Agents cannot spend it. It is sent only to the address you sign in with:{" "}
        <AddressTag address={ctx.actor.address} tileSize={18} />
      </p>
      {token && !named && <Note tone="warn">There is no token at this address that says a balance.</Note>}
      {(hasEther || holdings.length > 0) && (
        <ul aria-label="What is there" className="grid divide-y border-t [&>li:last-child]:pb-0">
          {holdings.map((holding) => (
            <li key={holding.token} className="py-3.5">
              {holding.amount !== "0" && underWay?.token !== holding.token ? (
                <RecoverButton network={network} token={holding.token} sum={sumOf(holding)}>
                  <TokenHolding holding={holding} />
                </RecoverButton>
              ) : (
                <TokenHolding holding={holding} />
              )}
            </li>
          ))}
          {hasEther && (
            <li className="py-3.5">
              <RecoverButton network={network} token={null} sum={sumOf(etherHolding)}>
                <div>
                  <p className="text-control font-medium [overflow-wrap:anywhere]">{sumOf(etherHolding)}</p>
                  <p className="text-small text-ink-2">
                    The gas is taken from it{holdings.length > 0 && ", also that of tokens: send those first"}.
                  </p>
                </div>
              </RecoverButton>
            </li>
          )}
        </ul>
      )}
      {shown.map((recovery) => (
        <RecoveryNote key={recovery.recoveryId} recovery={recovery} />
      ))}
      {shown.length > 0 && (
        <LiveRefresh
          news={underWay ? "On its way to your own address" : "Nothing is on its way"}
          isExpecting={underWay !== undefined}
        />
      )}
    </Card>
  );
}

const sumOf = ({ amountFormatted, symbol }: Pick<HoldingView, "amountFormatted" | "symbol">): string =>
  `${shortened(amountFormatted)} ${symbol ?? "of a token without a name"}`;

const PLACES = 6;

/** Rounded down to six places: nobody reads eighteen. */
function shortened(amount: string): string {
  const [whole = "0", places = ""] = amount.split(".");
  const shown = places.slice(0, PLACES).replace(/0+$/, "");
  if (whole === "0" && shown === "" && /[1-9]/.test(places)) return "less than 0.000001";
  return shown === "" ? whole : `${whole}.${shown}`;
}

function TokenHolding({ holding }: { holding: HoldingView }) {
  return (
    <div className="grid min-w-0 gap-1">
      <p className="text-control font-medium [overflow-wrap:anywhere]">
        <bdi>{sumOf(holding)}</bdi>
      </p>
      <p className="text-small text-ink-2">
        {holding.isKnown ? "Token" : "It calls itself so. Anybody can make a token with any name:"}{" "}
        <AddressTag address={holding.token} tileSize={18} />
      </p>
    </div>
  );
}

function RecoveryNote({ recovery }: { recovery: RecoveryView }) {
  const { outcome, token, lacksGas, txHash, network, receivedFormatted } = recovery;
  const sum = (
    <bdi>{sumOf({ symbol: recovery.symbol, amountFormatted: receivedFormatted ?? recovery.amountFormatted })}</bdi>
  );
  const explorer = txHash !== null && <ExplorerLink explorer={NETWORKS[network].explorer} hash={txHash} />;
  switch (outcome) {
    case "under_way":
      return lacksGas ? (
        <Note tone="warn" title={<>{sum} waits for gas</>}>
          Send a little ETH to this wallet: it goes on by itself.
        </Note>
      ) : (
        <Note tone="info" title={<>{sum} on the way</>}>
          You can close this page.
        </Note>
      );
    case "arrived":
      return (
        <Note tone="good" title={<>{sum} arrived at your own address</>} actions={explorer}>
          {token !== null && "By the token’s own count."}
        </Note>
      );
    case "failed":
      return (
        <Note tone="bad" title={<>{sum} not sent</>} actions={explorer}>
          {token === null ? "Your address refused it" : "The token refused it"} on the chain. Only gas was spent.
        </Note>
      );
    case "unclear":
      return (
        <Note tone="warn" title={<>{sum}: the token does not show that it arrived</>} actions={explorer}>
          It accepted the transfer, but its own balances do not show one. Trust it with nothing.
        </Note>
      );
    default:
      return outcome satisfies never;
  }
}

/** Asks for one more token. Works without JavaScript. */
export const NameToken = ({ network }: { network: NetworkName }) => (
  <form action="/dashboard/wallet" className="grid w-full gap-3">
    <input type="hidden" name="network" value={network} />
    <TextField
      label="Sent another token here? Its contract"
      name="token"
      placeholder="0x…"
      autoComplete="off"
      spellCheck={false}
      required
      pattern="0x[0-9a-fA-F]{40}"
      title="A 20-byte 0x address"
    />
    <Button type="submit" size="small">
      Look for it
    </Button>
  </form>
);
