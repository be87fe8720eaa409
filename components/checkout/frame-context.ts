"use client";

import { createContext, useContext, useEffect } from "react";
import type { PaymentState } from "./frame-news";

/** The page around a framed checkout. Apart from frame.tsx, because every checkout is sent this file. */
export type Frame = { report: (payment: PaymentState) => void; open: () => void; close: () => void };

export const FrameContext = createContext<Frame | null>(null);

export const useIsFramed = (): boolean => useContext(FrameContext) !== null;

/** Reports a payment to the page around the frame, if there is one. */
export function usePaymentNews({ at, settlementId }: PaymentState): void {
  const frame = useContext(FrameContext);
  useEffect(() => frame?.report({ at, settlementId }), [frame, at, settlementId]);
}
