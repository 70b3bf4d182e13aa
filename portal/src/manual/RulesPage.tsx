import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { getRuleBook, type RuleBook, type RuleSection } from '@tillside/contract/rule-book'
import type { ReactNode } from 'react'
import { useDates } from '../company/calendar.ts'
import { call } from '../kit/call/call.ts'
import { Loaded } from '../kit/page/Loaded.tsx'
import { PageTitle } from '../kit/page/PageTitle.tsx'
import { useLanguage } from '../kit/text/language.ts'
import { type Address, paths } from '../paths.ts'
import { PageFrame } from '../ui/page/PageFrame.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { PrintButton } from '../ui/paper/PrintButton.tsx'
import { ReceiptRow } from '../ui/paper/ReceiptRow.tsx'

/** The company's rules of points and tiers, as `tillside company rules` writes them. */
export function RulesPage(): ReactNode {
  const { t } = useLingui()
  const language = useLanguage()
  const { from }: Record<string, unknown> = useSearch({ strict: false })
  const query = useQuery({
    queryKey: ['ruleBook', language],
    queryFn: ({ signal }) => call(getRuleBook, {}, { signal, quiet: true }),
  })
  const name = t({ id: 'rules.title', message: 'Membership rules' })
  return (
    <PageFrame width="page">
      <article className="mx-auto w-full max-w-[68ch] lang-zh:max-w-[36em]" data-print="">
        <PageTitle back={backFrom(from)} title={query.data?.title ?? name} />
        <Loaded query={query} name={name} skeleton={<Skeleton height="24rem" />}>
          {(book) => <Book book={book} />}
        </Loaded>
      </article>
    </PageFrame>
  )
}

/** The page with the link that the clerk pressed. */
function backFrom(from: unknown): Address {
  if (from === 'manual') return paths.manual()
  return from === 'static' ? paths.staticPage() : paths.modules()
}

function Book({ book }: { book: RuleBook }) {
  const { t } = useLingui()
  const day = useDates()(book.day)
  return (
    <div className="mt-2 grid grid-cols-1 gap-4 leading-[1.7] break-words">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <p className="num text-small text-ink2">
          {t({ id: 'rules.asOf', message: `As of ${day}` })}
        </p>
        <PrintButton />
      </div>
      {book.sections.map((part) => (
        <Section key={part.title} part={part} example={book.example} />
      ))}
    </div>
  )
}

function Section({ part, example }: { part: RuleSection; example: string }) {
  const { title, text, list, table, examples } = part
  return (
    <section className="grid grid-cols-1 gap-2">
      <h2 className="mt-2 text-title">{title}</h2>
      {text === '' ? null : <p>{text}</p>}
      {list.length === 0 ? null : (
        <ul className="grid list-disc grid-cols-1 gap-1.5 ps-6 marker:text-ink3">
          {list.map((item) => (
            <li key={item} className="ps-1">
              {item}
            </li>
          ))}
        </ul>
      )}
      {table === null ? null : <Rows {...table} />}
      {examples.map((one) => (
        <p key={one} className="num border-s-4 border-brand ps-3">
          <b className="font-semibold">{example}</b> {one}
        </p>
      ))}
    </section>
  )
}

/** The rows of a table as blocks: its columns would not fit large text on a phone. */
function Rows({ head, rows }: NonNullable<RuleSection['table']>) {
  const [, ...labels] = head
  return (
    <ul className="grid grid-cols-1 gap-x-10 gap-y-3 medium:grid-cols-2">
      {rows.map(([name = '', ...values]) => (
        <li key={name} className="border-t border-line pt-2">
          <h3 className="text-strong">{name}</h3>
          {labels.map((label, column) => (
            <ReceiptRow key={label} label={label} value={values[column]} />
          ))}
        </li>
      ))}
    </ul>
  )
}
