import type { getRuleBook } from '@tillside/contract/rule-book'
import type { Data } from '@tillside/contract/wire/endpoint'
import { Definition } from '../../company/definition.ts'
import type { Context } from '../../database/context.ts'
import type { Transaction } from '../../database/database.ts'
import { definitionOf } from '../export.ts'
import { type BookFacts, ruleBook } from './book.ts'
import { readReturn } from './examples.ts'

/** A company's definition and the revision that it has. */
export async function readDefinition(
  tx: Transaction,
  companyId: string,
): Promise<{ definition: Definition; revision: number }> {
  const { definition, revision } = await definitionOf(tx, companyId)
  return { definition: Definition.parse(definition), revision }
}

/** The facts of a company's rule book. */
export async function readBookFacts(tx: Transaction, companyId: string): Promise<BookFacts> {
  const found = await readDefinition(tx, companyId)
  return { ...found, returned: await readReturn(tx, found.definition) }
}

/** The rule book of the clerk's company, with examples of today. */
export async function readRuleBook({
  tx,
  company,
  today,
  language,
}: Context<typeof getRuleBook>): Promise<Data<typeof getRuleBook>> {
  return ruleBook(await readBookFacts(tx, company.id), language, today)
}
