"use client";

import { useEffect } from "react";
import type { Address } from "@/lib/core/address";
import { setPageOwner } from "@/lib/http/client";

/** Binds the calls of this page to its owner: what it shows is refused for whoever signs in afterwards in another tab. */
export function PageOwner({ address }: { address: Address }) {
  useEffect(() => {
    setPageOwner(address);
    return () => setPageOwner(null);
  }, [address]);
  return null;
}
