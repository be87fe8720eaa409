import type { LocalAccount } from "viem/accounts";
import { type Answer, call } from "./http";
import type { Json } from "./mandates";

type Signer = { session: string; account: LocalAccount };

/** Posts what an owner does, and signs it with their wallet where the service asks for that. */
export async function confirmedCall(
  owner: Signer,
  path: string,
  json: object,
  headers?: Record<string, string>,
): Promise<Answer> {
  const post = (body: object) =>
    call("POST", path, { session: owner.session, json: body, ...(headers && { headers }) });
  const answer = await post(json);
  if ((answer.body as Json)?.code !== "signature_required") return answer;
  return post({ ...json, signature: await signedBy(owner, answer) });
}

/** A signature over the challenge of a signature_required. */
export const signedBy = ({ account }: Pick<Signer, "account">, challenge: Answer): Promise<`0x${string}`> =>
  account.signTypedData((challenge.body as Json).typedData as Parameters<LocalAccount["signTypedData"]>[0]);
