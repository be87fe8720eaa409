import { fund, newAgent, newPayee, newPerson, payUpl, propose, sign } from "./api";

/** An owner whose agent has paid, been paid, and requests another mandate. */
export async function busyOwner() {
  const person = await newPerson();
  const agent = await newAgent();
  await fund(person);
  const proposal = await propose(agent);
  await sign(person, proposal);
  await payUpl(agent, proposal.mandateId, await newPayee(), "1250000");
  await propose(agent, { naturalLanguage: "Buy a GPU hour.", limitAmount: "3000000" });
  return { person, agent, mandateId: proposal.mandateId };
}
