import type { ItemReason, RefusedItem } from '@tillside/contract/integration/batch'
import type { FieldReason } from '@tillside/contract/wire/failures'
import type { Language } from '@tillside/contract/wire/language'
import type * as z from 'zod/mini'
import { isUnavailable } from '../database/database.ts'
import { fieldTexts } from '../text/answer-texts.ts'
import { failureTexts } from '../text/failure-texts.ts'
import { invalidFields } from '../text/invalid.ts'
import type { KeyContext } from '../http/keys/serve-key.ts'
import { reasonTexts } from './reasons.ts'

type WrongField = { path: string; reason: FieldReason | ItemReason }

/** Refuses one item; thrown inside its transaction, it also rolls the transaction back. */
export class ItemRefusal extends Error {
  readonly reason: ItemReason
  /** The invalid fields of the item. */
  readonly fields: readonly WrongField[]
  /** @param fields a path alone has the reason of the item */
  constructor(reason: ItemReason, ...fields: (string | WrongField)[]) {
    super(reason)
    this.reason = reason
    this.fields = fields.map((one) => (typeof one === 'string' ? { path: one, reason } : one))
  }
}

type Done = { outcome: 'created' | 'unchanged' }

/**
 * Processes items in order and independently: an error in one does not affect the others. If the
 * database becomes unavailable, the whole request fails; in a repeat, the stored items are
 * `unchanged`.
 * @param schema of one item
 * @param work does one item, in a transaction of its own
 */
export async function answerItems<S extends z.ZodMiniType, D extends Done>(
  context: KeyContext,
  schema: S,
  items: readonly unknown[],
  work: (item: z.output<S>) => Promise<D>,
) {
  const answers: ((D & { index: number }) | RefusedItem)[] = []
  for (const [index, item] of items.entries()) {
    const parsed = schema.safeParse(item)
    answers.push(
      parsed.success
        ? await attempt(context, index, () => work(parsed.data))
        : invalid(index, parsed.error.issues, item, context.language),
    )
  }
  const count = (outcome: string) => answers.filter((a) => a.outcome === outcome).length
  return {
    items: answers,
    created: count('created'),
    unchanged: count('unchanged'),
    refused: count('refused'),
  }
}

async function attempt<D extends Done>(
  context: KeyContext,
  index: number,
  work: () => Promise<D>,
): Promise<(D & { index: number }) | RefusedItem> {
  try {
    return { ...(await work()), index }
  } catch (error) {
    if (error instanceof ItemRefusal) return refused(index, error, context.language)
    if (isUnavailable(error)) throw error
    context.report(error)
    return refused(index, new ItemRefusal('internal'), context.language)
  }
}

function refused(index: number, { reason, fields }: ItemRefusal, language: Language): RefusedItem {
  const texts = { ...fieldTexts, ...reasonTexts }
  return {
    index,
    outcome: 'refused',
    reason,
    message: texts[reason][language],
    fields: fields.map((field) => ({ ...field, message: texts[field.reason][language] })),
  }
}

function invalid(
  index: number,
  issues: readonly z.core.$ZodIssue[],
  item: unknown,
  language: Language,
): RefusedItem {
  return {
    index,
    outcome: 'refused',
    reason: 'invalid',
    message: failureTexts.invalid[language],
    fields: invalidFields(issues, item, language),
  }
}

/** Refuses a store that the company does not have, or for which the API key is not valid. */
export function checkStore(context: KeyContext, storeCode: string | null, path: string): void {
  const reason = storeProblem(context, storeCode)
  if (reason !== null) throw new ItemRefusal(reason, path)
}

/** The problem that there is with the store of a receipt; null: none. */
export function storeProblem(
  { company, key }: Pick<KeyContext, 'company' | 'key'>,
  storeCode: string | null,
): 'storeUnknown' | 'storeNotAllowed' | null {
  if (storeCode !== null && !company.stores.has(storeCode)) return 'storeUnknown'
  const isAllowed = key.stores === null || (storeCode !== null && key.stores.has(storeCode))
  return isAllowed ? null : 'storeNotAllowed'
}
