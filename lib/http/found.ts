import { notFound } from "next/navigation";
import { AppError } from "@/lib/core/errors";

const isMissing = (error: unknown): boolean => error instanceof AppError && error.kind === "not_found";

/** The result of `work`, or null when it throws a not_found error. */
export async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** For pages: the result of `work`, or Next's 404 page when it throws a not_found error. */
export async function orNotFound<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) notFound();
    throw error;
  }
}
