import type { Argument, Call } from "@tessera/firewall";
import type { Finding } from "@tessera/firewall/verdict";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { AddressTag } from "@/components/ui/address-tag";
import { Badge } from "@/components/ui/badge";
import { cx } from "@/components/ui/cx";
import { SEVERITY_TONES } from "./verdict-words";

export type CallTreeProps = {
  calls: readonly Call[];
  findings: readonly Finding[];
  pointed: number | null;
  /** The id of the call's heading. */
  idOf: (path: string) => string;
};

/** The path of the call that a finding is about; null if it is about no call. */
export function callOf({ field }: Finding): string | null {
  if (field === "data") return ROOT;
  return field?.startsWith(ROOT) ? field : null;
}

/** The transaction's call and the calls inside it, as far as they could be decoded. */
export function CallTree({ calls, ...treeProps }: CallTreeProps) {
  return <Calls calls={calls} path="" label="Decoded calls" {...treeProps} />;
}

type CallsProps = CallTreeProps & { path: string; label: string };

function Calls({ calls, path, label, ...treeProps }: CallsProps) {
  return (
    <ol aria-label={label} className={cx("grid gap-2", path !== "" && "mt-3 border-l-2 pl-2.5 sm:pl-4")}>
      {calls.map((call, index) => {
        const callPath = path === "" ? `calls[${index}]` : `${path}.calls[${index}]`;
        return (
          <li key={callPath} className="min-w-0">
            <CallNode call={call} path={callPath} {...treeProps} />
          </li>
        );
      })}
    </ol>
  );
}

type CallNodeProps = Omit<CallTreeProps, "calls"> & { call: Call; path: string };

function CallNode({ call, path, findings, pointed, idOf }: CallNodeProps) {
  const callFindings = findings.filter((finding) => callOf(finding) === path);
  const name = nameOf(
    call,
    callFindings.map(({ code }) => code),
  );
  const names = argumentNames(call.function);
  const isPointed = pointed !== null && callFindings.some((finding) => finding === findings[pointed]);
  return (
    <details
      open
      {...(isPointed && { "data-pointed": "" })}
      className={cx("rounded-control border bg-card", isPointed && "outline-2 outline-brand")}
    >
      <summary
        id={idOf(path)}
        className="flex min-h-11 list-none items-center justify-between gap-3 rounded-control px-3.5 py-2 text-small"
      >
        <span className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
          <code className="font-medium [overflow-wrap:anywhere]">{name}</code>
          {call.selector !== null && <code className="text-tiny text-ink-2">{call.selector}</code>}
          {callFindings.map((finding) => (
            <Badge key={`${finding.code} ${finding.message}`} tone={SEVERITY_TONES[finding.severity]}>
              {finding.code}
            </Badge>
          ))}
        </span>
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 text-ink-2 transition-transform [details[open]>summary>&]:rotate-90"
        />
      </summary>
      <div className="min-w-0 border-t px-3 py-3 sm:px-3.5">
        <dl className="grid gap-1.5 text-small">
          <Row label="To">{call.to === null ? "None" : <AddressTag address={call.to} tileSize={18} />}</Row>
          {call.valueWei !== "0" && (
            <Row label="Value">
              <span className="num [overflow-wrap:anywhere]">{call.valueWei} wei</span>
            </Row>
          )}
          {call.arguments.map((argument, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: arguments are known by their place
            <Row key={index} label={<Label name={names[index]} type={short(argument.type)} />}>
              <ArgumentValue argument={argument} />
            </Row>
          ))}
        </dl>
        {call.calls.length > 0 && (
          <Calls
            calls={call.calls}
            path={path}
            label={`Calls inside ${name}`}
            findings={findings}
            pointed={pointed}
            idOf={idOf}
          />
        )}
      </div>
    </details>
  );
}

function Row({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[4.5rem_minmax(0,1fr)] sm:grid-cols-[6.5rem_minmax(0,1fr)] items-baseline gap-3">
      <dt className="text-ink-2 [overflow-wrap:anywhere]">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

function Label({ name, type }: { name: string | undefined; type: string }) {
  if (name === undefined) return <code>{type}</code>;
  return (
    <>
      {name} <code className="block text-tiny">{type}</code>
    </>
  );
}

function ArgumentValue({ argument: { type, value } }: { argument: Argument }) {
  if (value === null) return <span className="text-ink-2">Not shown: composite or long</span>;
  if (type === "address") return <AddressTag address={value} tileSize={18} />;
  const isAll = /^uint\d+$/.test(type) && ALL_ONES.has(value);
  return (
    <span className="[overflow-wrap:anywhere]">
      <span className="mono">{value}</span>
      {isAll && <span className="text-bad"> · all bits set: without limit</span>}
    </span>
  );
}

const ROOT = "calls[0]";
const ALL_ONES = new Set([96n, 128n, 160n, 256n].map((bits) => (2n ** bits - 1n).toString()));

/** A tuple's type may be wider than its column. */
const short = (type: string) => (type.length > 40 ? `${type.slice(0, 39)}…` : type);

/** The display name of a call. `codes` are the codes of its findings. */
export function nameOf({ function: name, selector, valueWei }: Call, codes: readonly string[]): string {
  if (name !== null) return name;
  if (selector !== null) return "unknown function";
  if (codes.includes("MALFORMED_CALLDATA")) return "unreadable calldata";
  if (valueWei === "0") return "no call, no value";
  return codes.includes("TRANSFER_TO_TOKEN_CONTRACT") ? "native value to a token" : "plain transfer";
}

/** Argument names in order, for functions of known standards; empty for others. */
export const argumentNames = (signature: string | null): readonly string[] =>
  (signature !== null && Object.hasOwn(NAMES, signature) && NAMES[signature]?.split(" ")) || [];

const AUTHORIZATION = "from recipient amount validAfter validBefore nonce";

/** Keyed by signature: overloads of one name differ in the order of their arguments. */
export const NAMES: Readonly<Record<string, string>> = {
  "approve(address,uint256)": "spender amount",
  "approve(address,uint256,uint256)": "spender id amount",
  "approve(address,address,uint160,uint48)": "token spender amount expiration",
  "approveAndCall(address,uint256,bytes)": "spender amount data",
  "increaseAllowance(address,uint256)": "spender amount",
  "decreaseAllowance(address,uint256)": "spender amount",
  "increaseApproval(address,uint256)": "spender amount",
  "decreaseApproval(address,uint256)": "spender amount",
  "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)": "owner spender amount deadline v r s",
  "permit(address,address,uint256,uint256,bytes)": "owner spender amount deadline signature",
  "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)": "owner spender nonce expiry allowed v r s",
  "setApprovalForAll(address,bool)": "operator allowed",
  "setOperator(address,bool)": "operator allowed",
  "authorizeOperator(address)": "operator",
  "revokeOperator(address)": "operator",
  "transfer(address,uint256)": "recipient amount",
  "transferAndCall(address,uint256,bytes)": "recipient amount data",
  "send(address,uint256,bytes)": "recipient amount data",
  "transferFrom(address,address,uint256)": "from recipient amount",
  "transferFrom(address,address,uint160,address)": "from recipient amount token",
  "safeTransferFrom(address,address,uint256)": "from recipient id",
  "safeTransferFrom(address,address,uint256,bytes)": "from recipient id data",
  "safeTransferFrom(address,address,uint256,uint256,bytes)": "from recipient id amount data",
  "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)": "from recipient ids amounts data",
  "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)": `${AUTHORIZATION} v r s`,
  "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)": `${AUTHORIZATION} signature`,
  "receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)": `${AUTHORIZATION} v r s`,
  "receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)": `${AUTHORIZATION} signature`,
  "transferOwnership(address)": "newOwner",
  "setOwner(address)": "newOwner",
  "addOwner(address)": "newOwner",
  "addOwnerWithThreshold(address,uint256)": "newOwner threshold",
  "swapOwner(address,address,address)": "previousOwner oldOwner newOwner",
  "removeOwner(address,address,uint256)": "previousOwner owner threshold",
  "changeThreshold(uint256)": "threshold",
  "enableModule(address)": "module",
  "grantRole(bytes32,address)": "role account",
  "revokeRole(bytes32,address)": "role account",
  "renounceRole(bytes32,address)": "role account",
  "upgradeTo(address)": "implementation",
  "upgradeToAndCall(address,bytes)": "implementation data",
  "mint(address,uint256)": "recipient amount",
  "burn(uint256)": "amount",
  "burnFrom(address,uint256)": "from amount",
  "execute(address,uint256,bytes)": "target value data",
  "execute(address,bytes)": "target data",
  "execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)":
    "target value data operation safeTxGas baseGas gasPrice gasToken refundReceiver signatures",
  "multiSend(bytes)": "transactions",
  "multicall(bytes[])": "calls",
  "multicall(uint256,bytes[])": "deadline calls",
  "V3_SWAP_EXACT_IN(address,uint256,uint256,bytes,bool)": "recipient amountIn amountOutMin path payerIsUser",
  "V3_SWAP_EXACT_OUT(address,uint256,uint256,bytes,bool)": "recipient amountOut amountInMax path payerIsUser",
  "V2_SWAP_EXACT_IN(address,uint256,uint256,address[],bool)": "recipient amountIn amountOutMin path payerIsUser",
  "V2_SWAP_EXACT_OUT(address,uint256,uint256,address[],bool)": "recipient amountOut amountInMax path payerIsUser",
  "PERMIT2_TRANSFER_FROM(address,address,uint160)": "token recipient amount",
  "TRANSFER(address,address,uint256)": "token recipient amount",
  "SWEEP(address,address,uint256)": "token recipient amountMin",
  "WRAP_ETH(address,uint256)": "recipient amount",
  "UNWRAP_WETH(address,uint256)": "recipient amountMin",
};
