import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";

/**
 * A base backup of a running cluster by PostgreSQL's procedure: start, copy the files while they change, stop, add the
 * label and the log up to there. Source: PostgreSQL manual, "Making a Base Backup Using the Low Level API".
 */
export async function baseBackup(url: string, cluster: string, target: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const session = await sql.reserve();
  try {
    await session`select pg_backup_start('test', true)`;
    mkdirSync(target, { recursive: true });
    copy(`${cluster}/.`, target);
    const [stopped] = await session`select labelfile from pg_backup_stop(false)`;
    for (const name of ["postmaster.pid", "postmaster.opts", "pg_wal"]) {
      rmSync(join(target, name), { recursive: true, force: true });
    }
    copy(join(cluster, "pg_wal"), target);
    // Owned by the server's user, like the original file.
    const label = join(target, "backup_label");
    cpSync(join(target, "PG_VERSION"), label, { preserveTimestamps: true });
    writeFileSync(label, stopped?.labelfile);
    const { uid, gid } = statSync(join(target, "PG_VERSION"));
    spawnSync("chown", [`${uid}:${gid}`, label]);
  } finally {
    session.release();
    await sql.end();
  }
}

/** Copies owners and modes too. Files that disappear meanwhile are skipped: the write-ahead log replaces them. */
function copy(from: string, to: string): void {
  const { status, stderr } = spawnSync("cp", ["-a", from, to], { encoding: "utf8" });
  const lines = stderr.split("\n").filter((line) => line !== "" && !line.includes("No such file or directory"));
  if (status !== 0 && lines.length > 0) throw new Error(lines.join("\n"));
}
