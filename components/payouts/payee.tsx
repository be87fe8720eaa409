import type { ReactNode } from "react";
import { Copy } from "@/components/ui/copy";
import { Tile } from "@/components/ui/tile";

export type PayeeProps = {
  address: string;
  /** The owner's name for the address. */
  name: string | null | undefined;
  children?: ReactNode;
};

/** A recipient. The address is never shortened: address poisoning relies on shortened addresses. */
export function Payee({ address, name, children }: PayeeProps) {
  return (
    <div className="flex min-w-0 items-start gap-3">
      <Tile seed={address} size={28} className="mt-0.5" />
      <div className="grid min-w-0 justify-items-start gap-1">
        {name != null && <bdi className="font-medium [overflow-wrap:anywhere]">{name}</bdi>}
        <span className="mono text-small [overflow-wrap:anywhere]">
          {address}
          <Copy value={address} label="Copy address" iconOnly className="-my-1.5 ml-1 align-middle max-sm:-my-3" />
        </span>
        {children}
      </div>
    </div>
  );
}
