import type { getRuleBook } from '@tillside/contract/rule-book'
import type { Data } from '@tillside/contract/wire/endpoint'
import { Definition } from '../../company/definition.ts'
import type { Context } from '../../database/context.ts'
import type { Transaction } from '../../database/database.ts'
import { definitionOf } from '../export.ts'
import { ruleBook } from './book.ts'

/** A company's definition and the revision that it has. */
export async function readDefinition(
  tx: Transaction,
  companyId: string,
): Promise<{ definition: Definition; revision: number }> {
  const { definition, revision } = await definitionOf(tx, companyId)
  return { definition: Definition.parse(definition), revision }
}

/** The rule book of the clerk's company, with examples of today. */
export async function readRuleBook({
  tx,
  company,
  today,
  language,
}: Context<typeof getRuleBook>): Promise<Data<typeof getRuleBook>> {
  const { definition, revision } = await readDefinition(tx, company.id)
  return ruleBook(definition, revision, language, today)
}
