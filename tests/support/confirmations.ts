import type { LocalAccount } from "viem/accounts";
import { type Answer, call } from "./http";
import type { Json } from "./mandates";

type Signer = { session: string; account: LocalAccount };

/** Sends an owner's request, and repeats it with their wallet's signature if the service requires one. */
export async function confirmedCall(
  owner: Signer,
  path: string,
  json: object,
  headers?: Record<string, string>,
  method: "POST" | "PATCH" = "POST",
): Promise<Answer> {
  const post = (body: object) =>
    call(method, path, { session: owner.session, json: body, ...(headers && { headers }) });
  const response = await post(json);
  if ((response.body as Json)?.code !== "signature_required") return response;
  return post({ ...json, signature: await signedBy(owner, response) });
}

/** Sets an agent's `receivingAddress`, signed by its owner. */
export async function setReceivingAddress(
  { owner, agent }: { owner: Signer; agent: { agentId: string } },
  receivingAddress: string,
): Promise<void> {
  const { status } = await confirmedCall(
    owner,
    `/api/agents/${agent.agentId}`,
    { receivingAddress },
    undefined,
    "PATCH",
  );
  if (status !== 200) throw new Error(`the agent could not be changed: ${status}`);
}

/** A signature of the challenge in a `signature_required` response. */
export const signedBy = (
  { account }: Pick<Signer, "account">,
  challenge: Pick<Answer, "body">,
): Promise<`0x${string}`> => {
  const { typedData } = challenge.body as Json;
  // Without it, `eth_signTypedData_v4` refuses typed data.
  if (!typedData.types.EIP712Domain) throw new Error("the typed data has no type of its domain");
  return account.signTypedData(typedData as Parameters<LocalAccount["signTypedData"]>[0]);
};
