import type { Data, Endpoint, Input } from '@tillside/contract/wire/endpoint'
import type { Language } from '@tillside/contract/wire/language'
import type { Permission } from '@tillside/contract/wire/permissions'
import type { Database, Transaction } from './database.ts'
import type { Fail } from '../text/fail.ts'

/** The authenticated caller, read from the database at the beginning of this request. */
export type Caller = {
  company: { id: string; identifier: string; revision: number; timeZone: string }
  /** A clerk, or the account of an API key. */
  staff: { id: string; account: string; firstName: string; lastName: string }
  /**
   * The caller is an API key. A system acts for many clerks and cannot type a password, so the
   * limits of one clerk do not apply, and it sees contacts in full.
   */
  isSystem: boolean
  store: { code: string; name: string }
  group: { code: string; permissionVersion: number; menus: readonly string[] }
  /** Whether the group has the menu of the member module. */
  hasMemberModule: boolean
  /** Empty without the member module: all permissions are about members. */
  permissions: ReadonlySet<Permission>
  /** The version of the permission set that the session has relied on so far. */
  seenPermissionVersion: number
  /** The transaction's `now()` by the database's clock, RFC 3339 in UTC. */
  now: string
  /** The company's calendar day at that time. */
  today: string
}

/**
 * The holder of a session, as an earlier request of this process has read it. It is valid only if a
 * statement of the present request confirms it (`staff/held.ts`).
 */
export type Held = {
  caller: Omit<Caller, 'now'>
  /** The values by which that statement checks that the holder is still the same. */
  values: readonly unknown[]
  /** The company's epoch when the holder was read; one of the values. */
  epoch: string
  /** The interval by which the company's clock is ahead; one of the values. */
  clockAhead: string
}

/**
 * The members whose ids a process remembers by their codes (`member/key.ts`), for one request of a
 * remembered holder. An id is valid only if the request confirms the holder.
 */
export type KnownMembers = {
  /** The id of the member with this code, by `codeKey`. */
  recall(code: string): string | undefined
  /** Remembers a member that a statement of this request has found. */
  learn(code: string, memberId: string): void
  /** The id that another key had in an earlier request; valid only if a statement confirms it. */
  hint(key: string): string | undefined
  /** Remembers the id that a statement of this request has found for another key. */
  keepHint(key: string, memberId: string): void
  /** Forgets the member that this request has recalled. @returns false when it recalled none */
  forget(): boolean
}

/** The members that a process remembers, as of one epoch of their company. */
export type MemberMemory = (epoch: string) => KnownMembers

/**
 * One change of state, for the audit log. Details never contain a secret or data that the member
 * table already has.
 */
export type Change = {
  action: string
  memberId: string | null
  details: Record<string, string | number | boolean | null>
}

/**
 * The context of a staff endpoint's verb, for one company. `tx` is one transaction; of a read-only
 * verb, one for each burst.
 */
export type Context<E extends Endpoint = Endpoint> = Caller & {
  tx: Transaction
  tokenHash: Buffer
  language: Language
  requestId: string
  fail: Fail<RefusalOf<E>>
  /** Records a change; `serve` writes its audit row in the same transaction. */
  changed: (change: Change) => void
}

/** The long-lived cookie that distinguishes known devices from strangers. */
export type Device = {
  /** The cookie's token; null without a cookie. */
  token: string | null
  /** Sends a token in the answer, for the browser to keep. */
  keep(token: string): void
}

/** The context of a public endpoint's verb, which opens its own transactions. */
export type PublicContext<E extends Endpoint = Endpoint> = {
  database: Database
  language: Language
  requestId: string
  /** The caller's network address. */
  address: string
  device: Device
  fail: Fail<RefusalOf<E>>
}

/**
 * The context of a verb in steps, which opens its own transactions and writes its own audit rows.
 */
export type StepsContext<E extends Endpoint = Endpoint> = Omit<Context<E>, 'tx' | 'changed'> &
  PublicContext<E>

type RefusalOf<E extends Endpoint> = E['refusals'][number] | 'invalid' | 'noPermission'

/** A staff verb. `found` is what its `readAhead` query returned, where it has one. */
export type Verb<E extends Endpoint, Found = undefined> = (
  context: Context<E>,
  input: Input<E>,
  found: Found,
) => Promise<Data<E>>
/**
 * A query that needs only the company, the input and the account's id, not the caller. It may take
 * a member's id from `known` instead of asking for it.
 */
export type ReadAhead<E extends Endpoint, Found> = (
  tx: Transaction,
  companyId: string,
  input: Input<E>,
  staffId: string,
  known: KnownMembers,
) => Promise<Found>
export type PublicVerb<E extends Endpoint> = (
  context: PublicContext<E>,
  input: Input<E>,
) => Promise<Data<E>>
export type StepsVerb<E extends Endpoint> = (
  context: StepsContext<E>,
  input: Input<E>,
) => Promise<Data<E>>
