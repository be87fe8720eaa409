/** Read by drizzle-kit, which `npm run db:generate` installs. */
export default {
  dialect: "postgresql",
  schema: "./lib/*/tables.ts",
  out: "./drizzle",
};
