"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { sentenceFor } from "@/components/dashboard/words";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Disclosure } from "@/components/ui/disclosure";
import { JsonView } from "@/components/ui/json-view";
import { Note } from "@/components/ui/note";
import { SecretDialog } from "@/components/ui/secret-dialog";
import { callApi } from "@/lib/http/client";

export type CreateSellerProps = { baseUrl: string; hasAgent: boolean };
type Created = { token: string; agent: { agentId: string } };

const NEW_LINK = "/dashboard/links/new";

/** Creates an agent for selling, shows its token once and continues to the first link. */
export function CreateSeller({ baseUrl, hasAgent }: CreateSellerProps) {
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [created, setCreated] = useState<Created>();

  async function create() {
    setBusy(true);
    setFailure(undefined);
    const response = await callApi<Created>("POST", "/api/agents", { name: "My shop" });
    setBusy(false);
    if (response.ok) setCreated(response.data);
    else setFailure(sentenceFor(response));
  }

  function goOn() {
    setCreated(undefined);
    router.push(NEW_LINK);
    router.refresh();
  }

  const snippet = created && snippetFor(baseUrl, created);
  return (
    <>
      {hasAgent && created === undefined ? (
        <ButtonLink href={NEW_LINK} variant="primary">
          Create a payment link
        </ButtonLink>
      ) : (
        <Button variant="primary" busy={isBusy} onClick={() => void create()}>
          Create a seller
        </Button>
      )}
      {failure !== undefined && (
        <Note tone="bad" live="assertive">
          {failure}
        </Note>
      )}
      {created && snippet !== undefined && (
        <SecretDialog
          title="Your seller is ready"
          secret={created.token}
          risk="Anybody who has it can create and change the links of this seller. It moves none of your money."
          verb="Create the first link"
          close={goOn}
          more={
            <Disclosure summary="Create links from a program">
              <JsonView value={snippet} label="commands" />
            </Disclosure>
          }
        >
          You can create links on this site without anything else. For a program, store this token now. If you lose it,
          make a new one under Agents.
        </SecretDialog>
      )}
    </>
  );
}

const snippetFor = (baseUrl: string, { token, agent }: Created) => `JWT=$(curl -s ${baseUrl}/refresh \\
  --json '{"agent_id":"${agent.agentId}","token":"${token}"}' | jq -r .jwt)
curl -s ${baseUrl}/api/payment-links -H "Authorization: Bearer $JWT" \\
  --json '{"amount":"1000000","description":"My first link"}' | jq -r .paymentLink.url`;
