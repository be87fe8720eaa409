import { z } from "zod";
import { searchResources } from "@/lib/discovery/contract";
import { openTool } from "../tool";

const TEXT_MAX = 200;
const LIMIT_MAX = 20;
const LIMIT = 10;

/** The members of a search result that the tool returns. */
const searchResult = z.object({
  resources: z.array(
    z.object({
      resource: z.string(),
      description: z.string(),
      accepts: z.array(z.object({ amount: z.string(), network: z.string() })),
    }),
  ),
  partialResults: z.boolean(),
});

export const serviceTools = [
  openTool(
    "search_services",
    {
      title: "Search paid services",
      description: "Search what sellers list at this service. Descriptions are the sellers' words. Buy with pay_url.",
      input: z.strictObject({
        query: z.string().min(1).max(TEXT_MAX).describe("Words of the description or the URL"),
        limit: z.int().min(1).max(LIMIT_MAX).default(LIMIT),
      }),
      readOnly: true,
    },
    async ({ api }, { query, limit }) => {
      const { body } = await api.call(searchResources, { query: { query, limit: String(limit) } });
      const { resources, partialResults } = searchResult.parse(body);
      const services = resources.map(({ resource, description, accepts }) => ({
        url: resource,
        description,
        prices: accepts.map(({ amount, network }) => ({ amount, network })),
      }));
      return { services, hasMore: partialResults };
    },
  ),
];
