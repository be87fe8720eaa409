"use client";

import { createContext, useContext, useEffect } from "react";
import type { PaymentState } from "./frame-news";

/** Messages to the page that frames the checkout. Separate from frame.tsx, because every checkout loads this file. */
export type Frame = { report: (payment: PaymentState) => void; open: () => void; close: () => void };

export const FrameContext = createContext<Frame | null>(null);

export const useIsFramed = (): boolean => useContext(FrameContext) !== null;

/** Reports the state of a payment to the page that frames the checkout, if there is one. */
export function usePaymentNews({ at: paymentType, settlementId }: PaymentState): void {
  const frame = useContext(FrameContext);
  useEffect(() => frame?.report({ at: paymentType, settlementId }), [frame, paymentType, settlementId]);
}
