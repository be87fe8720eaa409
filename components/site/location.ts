"use client";

import { usePathname, useSearchParams } from "next/navigation";

/** Next types both as nullable: the front page is not a page of the app router. Elsewhere they are always set. */
export const usePath = (): string => usePathname() ?? "/";
export const useQuery = (): URLSearchParams => new URLSearchParams(useSearchParams()?.toString());
