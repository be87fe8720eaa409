"use client";

import { Search } from "lucide-react";
import { IconButton } from "@/components/ui/button";
import { openPalette } from "./open";

/** For phones, which have no keys. */
export const SearchIcon = () => <IconButton label="Search" icon={<Search aria-hidden />} onClick={openPalette} />;
