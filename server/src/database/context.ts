import type { Data, Endpoint, Input } from '@tillside/contract/wire/endpoint'
import type { Language } from '@tillside/contract/wire/language'
import type { Permission } from '@tillside/contract/wire/permissions'
import type { Database, Transaction } from './database.ts'
import type { Fail } from '../text/fail.ts'

/** Who asks, as the database knew it at the beginning of this very request. */
export type Caller = {
  company: { id: string; identifier: string; revision: number; timeZone: string }
  staff: { id: string; account: string; firstName: string; lastName: string }
  store: { code: string; name: string }
  group: { code: string; permissionVersion: number; menus: readonly string[] }
  permissions: ReadonlySet<Permission>
  /** The version of the permission set that the session relied on so far. */
  seenPermissionVersion: number
  /** The transaction's reading of the database's clock, RFC 3339 in UTC. */
  now: string
  /** The day that it is then for the company. */
  today: string
}

/**
 * One change of state, for the audit. Details never hold a secret or what the member table holds
 * already.
 */
export type Change = {
  action: string
  memberId: string | null
  details: Record<string, string | number | boolean | null>
}

/** What the verb of a staff endpoint works with: one transaction, inside one company. */
export type Context<E extends Endpoint = Endpoint> = Caller & {
  tx: Transaction
  tokenHash: Buffer
  language: Language
  requestId: string
  fail: Fail<RefusalOf<E>>
  /** Says what was changed; `serve` writes the audit row in the same transaction. */
  changed: (change: Change) => void
}

/** What the verb of a public endpoint works with; it opens its own transactions. */
export type PublicContext<E extends Endpoint = Endpoint> = {
  database: Database
  language: Language
  requestId: string
  /** The caller's network address. */
  address: string
  fail: Fail<RefusalOf<E>>
}

/** What a verb in steps works with: it opens its own transactions and writes its own audit rows. */
export type StepsContext<E extends Endpoint = Endpoint> = Omit<Context<E>, 'tx' | 'changed'> &
  PublicContext<E>

type RefusalOf<E extends Endpoint> = E['refusals'][number] | 'invalid' | 'noPermission'

export type Verb<E extends Endpoint> = (context: Context<E>, input: Input<E>) => Promise<Data<E>>
/** What can be looked up before anybody knows who asks; nothing of it leaves unless they may. */
export type Ahead<E extends Endpoint, A> = (
  tx: Transaction,
  companyId: string,
  input: Input<E>,
) => Promise<A>
export type AheadVerb<E extends Endpoint, A> = (
  context: Context<E>,
  input: Input<E>,
  found: A,
) => Promise<Data<E>>
export type PublicVerb<E extends Endpoint> = (
  context: PublicContext<E>,
  input: Input<E>,
) => Promise<Data<E>>
export type StepsVerb<E extends Endpoint> = (
  context: StepsContext<E>,
  input: Input<E>,
) => Promise<Data<E>>
