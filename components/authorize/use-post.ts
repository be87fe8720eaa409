"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { sentenceFor } from "@/components/mandates/words";
import { callApi } from "@/lib/http/client";

/** Posts the token of a request. After a success it stays busy until the refreshed page shows the next state. */
export function usePost(path: `/${string}`, token: string | undefined) {
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function post() {
    setBusy(true);
    setProblem(undefined);
    const response = await callApi("POST", path, { token });
    if (!response.ok) {
      setBusy(false);
      setProblem(sentenceFor(response));
    }
    router.refresh();
  }

  return { post, isBusy, problem };
}
