import { Language, languages } from '@tillside/contract/wire/language'
import { type Command, Option } from 'commander'
import * as z from 'zod/mini'
import { inCompany } from '../../company/find.ts'
import { jsonCommand, print } from '../../database/command.ts'
import { statement } from '../../database/database.ts'
import { writeNewFiles } from '../revision/new-files.ts'
import { ruleBook } from './book.ts'
import { htmlOf, markdownOf } from './page.ts'
import { readBookFacts } from './read.ts'
import { todaySql } from '../../database/reads/today.ts'

const readToday = statement(
  `select ${todaySql('company')} as today from company where company_id = $1`,
  z.object({ today: z.string() }),
)

type Options = { language?: string; html?: boolean; to?: string; json?: boolean }

/** `tillside company rules` */
export function registerRules(company: Command): void {
  jsonCommand(company, 'rules <company>', 'Write the rules of points and tiers for people')
    .addOption(
      new Option(
        '--language <language>',
        'the language (default: the first of the company)',
      ).choices(languages),
    )
    .option('--html', 'print an HTML page instead of Markdown')
    .option('--to <folder>', 'write rules.<language>.md and .html of every language of the company')
    .action(rules)
}

async function rules(identifier: string, options: Options): Promise<void> {
  const { facts, today } = await inCompany(identifier, async (tx, id) => {
    const [found, day] = await Promise.all([readBookFacts(tx, id), tx.one(readToday, [id])])
    return { facts: found, ...day }
  })
  const { definition } = facts
  const offered = definition.languages
  const named = options.language === undefined ? null : Language.parse(options.language)
  if (named !== null && !offered.includes(named)) {
    throw new Error(`${identifier} has no texts in ${named}; it has ${offered.join(', ')}`)
  }
  const wanted = named === null ? offered : [named]
  const books = wanted.map((language) => ruleBook(facts, language, today))
  if (options.to !== undefined) {
    const files = books.flatMap((book) => [
      [`rules.${book.language}.md`, markdownOf(book)],
      [`rules.${book.language}.html`, htmlOf(book, definition.color)],
    ])
    await writeNewFiles(options.to, Object.fromEntries(files))
    print(options.json, books, [
      `written to ${options.to}: ${files.map(([name]) => name).join(', ')}`,
    ])
    return
  }
  const [book] = books
  if (book === undefined) throw new Error('a company without a language')
  const page = options.html ? htmlOf(book, definition.color) : markdownOf(book)
  print(options.json, book, [page.trimEnd()])
}
