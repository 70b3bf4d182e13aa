import type { readEvents } from '@tillside/contract/integration/events'
import type { Data, Input } from '@tillside/contract/wire/endpoint'
import * as z from 'zod/mini'
import { openCursor, sealCursor } from '../http/keys/cursor.ts'
import type { KeyContext } from '../http/keys/serve-key.ts'
import { readEventsAfter } from '../outbox/read.ts'
import { invalidField } from '../text/invalid.ts'

const list = '/events'
const Position = z.coerce.number().check(z.int(), z.minimum(0))

/** Events in the order of their positions, for a key that is valid for every store. */
export async function listEvents(
  context: KeyContext<typeof readEvents>,
  { after, since, limit }: Input<typeof readEvents>,
): Promise<Data<typeof readEvents>> {
  const { database, company, key, language } = context
  if (key.stores !== null) return context.fail('noPermission')
  const opened = after === undefined ? '0' : openCursor(after, key.hash, list)
  if (opened === null) return context.fail('invalid', invalidField('after', 'format', language))
  const position = Position.parse(opened)
  const range = { after: position, since: since ?? null, limit: limit + 1 }
  const found = await readEventsAfter(database, company.id, range)
  const page = found.slice(0, limit)
  const last = page.at(-1)
  const seal = ({ position: at }: { position: number }) => sealCursor(String(at), key.hash, list)
  return {
    items: page.map(({ event }) => event),
    next: last === undefined || found.length <= limit ? null : seal(last),
    resumeAfter: last === undefined ? (after ?? null) : seal(last),
  }
}
