"use client";

import { useState } from "react";
import { useConfirmed } from "@/components/confirmations/use-confirmed";
import { isUnknown } from "@/lib/http/client";
import type { BatchItem } from "@/lib/payouts/owner/contract";
import { BATCH_ROWS_MAX } from "@/lib/payouts/rules";
import { type BatchRow, bodyOf, type RowResult } from "./batch";
import { sentenceFor } from "./words";

export type Sent = RowResult & { kind: "made" | "existed" | "refused" | "unknown" };
type Progress = { isRunning: boolean; results: Sent[]; total: number };

/** Sends as many rows at a time as a request takes. Rows with an unknown result can be sent again: the payout_id makes each payout unique. */
export function useBatch() {
  const [progress, setProgress] = useState<Progress>();
  const { post, dialog } = useConfirmed();

  async function send(rows: readonly BatchRow[]) {
    const finalResults = (progress?.results ?? []).filter(({ kind }) => kind !== "unknown");
    const results = [...finalResults];
    const total = finalResults.length + rows.length;
    setProgress({ isRunning: true, results: [...results], total });
    for (let index = 0; index < rows.length; index += BATCH_ROWS_MAX) {
      results.push(...(await sendSome(post, rows.slice(index, index + BATCH_ROWS_MAX))));
      setProgress({ isRunning: true, results: [...results], total });
    }
    results.sort((a, b) => a.line - b.line);
    setProgress({ isRunning: false, results, total });
  }

  return { progress, send, dialog };
}

type Post = ReturnType<typeof useConfirmed>["post"];

async function sendSome(post: Post, rows: readonly BatchRow[]): Promise<Sent[]> {
  const body = { approve: true, rows: rows.map(bodyOf) };
  const response = await post<{ results: BatchItem[] }>("/api/wallet/payouts/batch", body);
  return rows.map((row, index) => {
    const rowKey = { line: row.line, payoutId: row.payoutId };
    if (response.ok) return { ...rowKey, ...outcomeOf(response.data.results[index]) };
    const kind = isUnknown(response) ? "unknown" : "refused";
    return { ...rowKey, kind, result: RESULT_WORDS[kind], reason: sentenceFor(response), recordId: "" };
  });
}

function outcomeOf(item: BatchItem | undefined): Pick<Sent, "kind" | "result" | "reason" | "recordId"> {
  const kind = kindOf(item?.status ?? 0);
  const failure = {
    ok: false,
    status: item?.status ?? 0,
    code: item?.code ?? "",
    message: item?.message ?? "",
  } as const;
  const hasFailed = kind === "refused" || kind === "unknown";
  return {
    kind,
    result: RESULT_WORDS[kind],
    reason: hasFailed ? sentenceFor(failure) : "",
    recordId: item?.payout?.payoutRecordId ?? "",
  };
}

function kindOf(status: number): Sent["kind"] {
  if (status === 201) return "made";
  if (status === 200) return "existed";
  return isUnknown({ status }) ? "unknown" : "refused";
}

const RESULT_WORDS = {
  made: "made",
  existed: "existed already",
  refused: "refused",
  unknown: "not known",
} satisfies Record<Sent["kind"], string>;
