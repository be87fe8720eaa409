import type { Metadata } from "next";
import { Suspense } from "react";
import { z } from "zod";
import { FilterLinks } from "@/components/dashboard/filter-links";
import { Faucet } from "@/components/funds/faucet";
import { DepositForm, WithdrawForm } from "@/components/funds/money-forms";
import { vaultsText } from "@/components/mandates/vaults/words";
import { PayeeLists } from "@/components/settings/payee-lists";
import { SpendingCaps } from "@/components/settings/spending-caps";
import { SessionOver } from "@/components/site/connection";
import { AddressTag } from "@/components/ui/address-tag";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { Disclosure } from "@/components/ui/disclosure";
import { Fact, Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { PageHeader } from "@/components/ui/page-header";
import { Qr } from "@/components/ui/qr";
import { CardSkeleton, Skeleton, TableSkeleton } from "@/components/ui/skeleton";
import { addressText } from "@/lib/core/address-text";
import { type SpendingCapView, toCapView } from "@/lib/mandates/caps/contract";
import { listOwned as listCaps } from "@/lib/mandates/caps/service";
import { pendingOn } from "@/lib/mandates/lists";
import { vaultTotals } from "@/lib/mandates/service";
import { toListsResponse } from "@/lib/payees/lists/contract";
import { listOwned as listPayees } from "@/lib/payees/lists/service";
import { toWalletItem, type WalletItem } from "@/lib/wallets/contract";
import { overview, ownBalances } from "@/lib/wallets/service";
import { DEFAULT_NETWORK, NETWORK_NAMES, NETWORKS, type NetworkName } from "@/lib/x402/networks";
import { readPaging } from "../paging";
import { beginning, href, oneOf, type SearchParams } from "../query";
import { ownerContext } from "../viewer";
import { Astray, NameToken } from "./astray";
import { Credits } from "./credits";
import { History } from "./history";

export const metadata: Metadata = { title: "Wallet" };

const query = z.object({
  network: oneOf(NETWORK_NAMES),
  before: beginning,
  token: addressText.optional().catch(undefined),
});
type Viewer = NonNullable<Awaited<ReturnType<typeof ownerContext>>>;

export default async function WalletPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await ownerContext();
  if (!ctx) return <SessionOver />;
  const params = await searchParams;
  const { network = DEFAULT_NETWORK, before: cutoff, token = null } = query.parse(params);
  return (
    <>
      <PageHeader
        title="Wallet"
        description="Your spending wallet, and the vaults of single mandates. Agents spend only what you signed or approved."
      />
      <Suspense
        fallback={
          <>
            <div className="grid gap-3 sm:grid-cols-2">
              <BalanceSkeleton />
              <BalanceSkeleton />
            </div>
            {/* As tall as the screen: what follows stays below it while the chain is read. */}
            <CardSkeleton className="min-h-dvh content-start" />
          </>
        }
      >
        <Money ctx={ctx} network={network} />
        <Payees ctx={ctx} />
      </Suspense>
      <Suspense fallback={null}>
        <Astray ctx={ctx} network={network} token={token} />
      </Suspense>
      <Suspense fallback={<CardSkeleton />}>
        <Credits ctx={ctx} />
      </Suspense>
      <Suspense fallback={<TableSkeleton />}>
        <History ctx={ctx} before={cutoff} paging={readPaging(params, cutoff === undefined)} network={network} />
      </Suspense>
    </>
  );
}

/** Streamed separately, because it waits for the chain. */
async function Money({ ctx, network }: { ctx: Viewer; network: NetworkName }) {
  const [balances, vaults, ownerBalances, pending, caps] = await Promise.all([
    overview(ctx),
    vaultTotals(ctx),
    ownBalances(ctx),
    pendingOn(ctx, network),
    listCaps(ctx),
  ]);
  const cap = caps.find(({ row, network: name }) => name === network && row.agentId === null);
  const wallets = balances.map(({ wallet, balance }) => toWalletItem(wallet.address, wallet.network, balance));
  const selectedWallet = wallets.find((wallet) => wallet.network === network);
  const selectedBalance = balances.find(({ wallet }) => wallet.network === network);
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        {wallets.map((wallet) => (
          <Balance key={wallet.network} wallet={wallet} vaults={vaults[wallet.network]} />
        ))}
      </div>
      <FilterLinks
        label="Network to move money on"
        options={NETWORK_NAMES.map((name) => ({
          label: NETWORKS[name].label,
          href: href("/dashboard/wallet", { network: name === DEFAULT_NETWORK ? undefined : name }),
          isCurrent: name === network,
        }))}
      />
      {selectedWallet && selectedBalance && (
        <Moving
          ctx={ctx}
          wallet={selectedWallet}
          rest={selectedBalance.rest}
          underWay={selectedBalance.underWay}
          available={ownerBalances[network]}
          pending={pending}
          hasVaultMoney={vaults[network].balance > 0n}
          cap={cap === undefined ? null : toCapView(cap, ctx.now())}
        />
      )}
    </>
  );
}

/** Whom the owner's agents pay, on every network. */
async function Payees({ ctx }: { ctx: Viewer }) {
  const { isAllowListOn, entries } = toListsResponse(await listPayees(ctx));
  return (
    <Card title="Whom your agents pay" id="payees" className="grid gap-4 [&>header]:mb-0">
      <p className="text-small text-ink-2">
        For all your agents, on every network. Allowing more than before needs your wallet’s signature.
      </p>
      <PayeeLists isAllowListOn={isAllowListOn} entries={entries} />
    </Card>
  );
}

type MovingProps = {
  ctx: Viewer;
  wallet: WalletItem;
  /** What of the wallet's balance can be withdrawn. */
  rest: bigint;
  /** What transfers claimed before can still take of it. */
  underWay: bigint;
  available: bigint | null;
  pending: bigint;
  /** True if a vault on the network holds money, which no withdrawal reaches. */
  hasVaultMoney: boolean;
  /** The owner's limit on all spending there. */
  cap: SpendingCapView | null;
};

function Moving({ ctx, wallet, rest, underWay, available, pending, hasVaultMoney, cap }: MovingProps) {
  const { network, label, chainId, address } = wallet;
  const owner = ctx.actor.address;
  return (
    // The key resets the form: an amount typed for one network is never sent on another.
    <div key={network} className="grid items-start gap-5 lg:grid-cols-2">
      <div className="grid gap-5">
        <Card title={`Add money on ${label}`} className="grid gap-5 [&>header]:mb-0">
          {wallet.balance === null ? (
            <Note tone="warn">
              {label} is not responding, so you cannot deposit right now. Your money is not affected.
            </Note>
          ) : (
            <DepositForm
              network={network}
              networkLabel={label}
              chainId={chainId}
              owner={owner}
              wallet={address}
              available={available}
            />
          )}
          <Disclosure summary="Send USDC to its address instead">
            <div className="grid justify-items-center gap-4">
              <Qr value={address} label={`Your spending wallet on ${label}`} size={168} />
              <AddressTag address={address} />
              <Note tone="warn">
                Send only USDC on {label}. What you send on another network, only the operator can send back.
              </Note>
              <NameToken network={network} />
            </div>
          </Disclosure>
        </Card>
        <Card title={`Limit on all spending on ${label}`} className="grid gap-4 [&>header]:mb-0">
          <p className="text-small text-ink-2">
            For all your agents together, beside their mandates. Raising it needs your wallet’s signature.
          </p>
          <SpendingCaps network={network} agentId={null} cap={cap} />
        </Card>
      </div>
      <div className="grid gap-5">
        <Card title={`Withdraw on ${label}`} className="grid gap-4 [&>header]:mb-0">
          <p className="text-small text-ink-2">
            Always to the address you sign in with: <AddressTag address={owner} tileSize={18} />
          </p>
          {wallet.balance === null ? (
            <Note tone="warn">
              {label} is not responding, so you cannot withdraw right now. Your money is not affected.
            </Note>
          ) : (
            <WithdrawForm
              network={network}
              networkLabel={label}
              owner={owner}
              free={rest}
              underWay={underWay}
              pending={pending}
            />
          )}
          {hasVaultMoney && (
            <p className="text-small text-ink-2">
              Money in a vault is taken back on{" "}
              <Link
                href={href("/dashboard/mandates", { mode: "vault", network })}
                className="text-ink underline underline-offset-4"
              >
                its mandate’s page
              </Link>
              .
            </p>
          )}
        </Card>
        {ctx.config.mode === "devnet" && (
          <Card title="Test dollars" className="grid gap-4 [&>header]:mb-0">
            <p className="text-small text-ink-2">For this local {label} only. They are worth nothing.</p>
            <Faucet network={network} wallet={address} owner={owner} />
          </Card>
        )}
      </div>
    </div>
  );
}

type BalanceProps = {
  wallet: WalletItem;
  /** The owner's vaults on this network, with their balance when last read. */
  vaults: { count: number; balance: bigint };
};

/** The owner's money on one network, in the spending wallet and in vaults. Shows a note while the chain does not respond. */
function Balance({ wallet, vaults }: BalanceProps) {
  const { balance, label } = wallet;
  const { isTestnet } = NETWORKS[wallet.network];
  return (
    <section
      aria-label={`Balance on ${label}`}
      className="grid min-w-0 content-start gap-1.5 rounded-card border bg-card p-5 sm:p-6"
    >
      <div className="flex min-h-6 items-center justify-between gap-3">
        <h2 className="text-small font-normal text-ink-2">{label}</h2>
        {isTestnet && <Badge tone="plain">Test network</Badge>}
      </div>
      {balance === null ? (
        <div className="grid gap-0.5">
          <p className="text-mid font-bold text-ink-2">Not available right now</p>
          <p className="text-small text-ink-2">
            {label} is not responding. Your money is not affected; payments wait until it responds again.
          </p>
        </div>
      ) : (
        <p>
          <Amount atomic={balance + vaults.balance} size={isTestnet ? "mid" : "big"} />
        </p>
      )}
      {vaults.count > 0 && (
        <Facts className="my-1.5 text-small">
          {balance !== null && (
            <Fact label="In your spending wallet">
              <Amount atomic={balance} />
            </Fact>
          )}
          <Fact label={`In ${vaultsText(vaults.count)}`}>
            <Amount atomic={vaults.balance} />
          </Fact>
        </Facts>
      )}
      <p className="mt-1 text-small">
        {vaults.count > 0 && <span className="mb-0.5 block text-ink-2">Spending wallet</span>}
        <AddressTag address={wallet.address} tileSize={20} />
      </p>
      {vaults.count > 0 && (
        <p className="text-small">
          <Link
            href={href("/dashboard/mandates", { mode: "vault", network: wallet.network })}
            className="underline underline-offset-4"
          >
            See the vaults with their mandates
          </Link>
        </p>
      )}
    </section>
  );
}

function BalanceSkeleton() {
  return (
    <div className="grid gap-3 rounded-card border bg-card p-5 sm:p-6">
      <Skeleton className="h-3.5 w-24" />
      <Skeleton className="h-9 w-40" />
      <Skeleton className="h-3.5 w-32" />
    </div>
  );
}
