// Must not import zod, because browser forms import this file.

/** Names that the protocol recommends (2025-11-25, tools), and no path of dots, which a URL would drop. */
const TOOL_NAME = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,128}$/;

/** Whether a tool can be sold. */
export const isToolName = (name: string): boolean => TOOL_NAME.test(name);

/** The path at which a tool is sold. */
export const toolPath = (name: string): string => `/${name}`;

/** The tool that is sold at a path. */
export const toolAt = (path: string): string => path.slice(1);
