import type * as pg from 'pg'

/** The supported major versions of PostgreSQL; `npm run test:all` tests each of them. */
const supported = [16, 17, 18]

/**
 * `uuidv7()` for a PostgreSQL before 18, from RFC 9562, section 6.2, method 3: 48 bits of
 * milliseconds, the version, 12 bits of the fraction of the millisecond, the variant and random
 * bits. Tables and statements call it without a schema, so from version 18 on they use
 * PostgreSQL's own function, even in a database that was upgraded.
 */
const uuidv7 = `create function public.uuidv7() returns uuid
  language sql volatile parallel safe
  begin atomic
    select encode(
      substring(int8send(us / 1000) from 3) ||
      int2send((28672 + (us % 1000) * 4096 / 1000)::int2) ||
      substring(uuid_send(gen_random_uuid()) from 9), 'hex')::uuid
    from (select (extract(epoch from clock_timestamp()) * 1000000)::int8 as us) now;
  end`

/**
 * Checks PostgreSQL's version, and creates the function that an older one lacks.
 * @param create creates a function; another process may create it at the same time
 * @returns adapts a migration to this version, and to a cluster
 * @throws Error with one line that names the supported versions
 */
export async function prepareVersion(
  client: pg.Client,
  create: (sql: string) => Promise<unknown>,
): Promise<(migration: string) => string> {
  const { rows } = await client.query<{ version: string; number: string; has: boolean }>(
    `select current_setting('server_version') as version,
       current_setting('server_version_num') as number,
       to_regprocedure('uuidv7()') is not null as has`,
  )
  const [server] = rows
  const major = Math.floor(Number(server?.number) / 10_000)
  if (!supported.includes(major)) {
    const version = server?.version.split(' ', 1)[0]
    const versions = `${supported.slice(0, -1).join(', ')} and ${supported.at(-1)}`
    throw new Error(
      `PostgreSQL ${version} is not supported; the supported versions are ${versions}`,
    )
  }
  if (server?.has === false) await create(uuidv7)
  // The privilege is new in version 17. Without it an import cannot update the statistics.
  const withoutMaintain = (migration: string): string =>
    major < 17 ? migration.replace(/^grant maintain on [^;]*;/m, '') : migration
  const forVersion = (migration: string): string =>
    major < 18 ? withoutMaintain(migration).replace(...withoutRewrite) : withoutMaintain(migration)
  if (!(await isDistributed(client))) return forVersion
  return (migration) => forCluster(forVersion(migration))
}

/** Statements about triggers: `tillside database distribute` has dropped all of them. */
const triggers = /^(?:create (?:constraint )?|drop )trigger [^;]*;/gm
/**
 * Statements that Citus sends to the nodes. It sends the text that the client has sent, which must
 * then be one statement.
 */
const changes = /^(?:(?:alter|create|drop) table|(?:create (?:unique )?|drop )index) [^;$]*;/gm
/** Otherwise a transaction that has changed a placed table may not change a copied one. */
const inSequence = `select set_config('citus.multi_shard_modify_mode', 'sequential', true);\n`

function forCluster(migration: string): string {
  const alone = migration
    .replaceAll(triggers, '')
    .replaceAll(changes, 'do $one$ begin $& end $one$;')
  // A migration in steps calls a procedure that commits, so it must stay the only statement.
  return alone === migration ? migration : inSequence + alone
}

/** Whether tables are placed on the nodes of a cluster. */
async function isDistributed(client: pg.Client): Promise<boolean> {
  const found = await client.query<{ has: boolean }>(
    `select to_regclass('pg_dist_partition') is not null as has`,
  )
  if (found.rows[0]?.has !== true) return false
  const { rowCount } = await client.query(`select from pg_dist_partition limit 1`)
  return rowCount === 1
}

/**
 * Before version 18 PostgreSQL refuses a new column with a default in a table whose row type a
 * function uses, as in migration 0070. The owner sees all rows only without forced row-level
 * security.
 */
const withoutRewrite = [
  /^alter table (\w+) add column (\w+) uuid not null default gen_random_uuid\(\);$/m,
  `alter table $1 add column $2 uuid;
   alter table $1 alter column $2 set default gen_random_uuid();
   alter table $1 no force row level security;
   update $1 set $2 = gen_random_uuid();
   alter table $1 force row level security;
   alter table $1 alter column $2 set not null;`,
] as const
