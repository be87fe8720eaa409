import type { Page } from "@playwright/test";
import { type Agent, claim, newAgent, newPerson, type Person, propose } from "./api";
import { become } from "./test";

/** A signed-in person with agents of these names. */
export async function seller(page: Page, ...names: string[]): Promise<{ person: Person; agents: Agent[] }> {
  const person = await newPerson();
  const agents: Agent[] = [];
  for (const name of names) agents.push(await linked(person, name));
  await become(page, person);
  return { person, agents };
}

export async function linked(person: Person, name: string): Promise<Agent> {
  const agent = await newAgent(name);
  await claim(person, await propose(agent));
  return agent;
}

export const rows = (page: Page) => page.getByRole("row").filter({ has: page.getByRole("rowheader") });
