import type { RegisterConfig } from '@tillside/contract/company'

import { Skeleton } from '../ui/page/Skeleton.tsx'
import { later } from '../ui/load/later.tsx'

const Markdown = later(
  async () => (await import('../ui/page/Markdown.tsx')).Markdown,
  <Skeleton height="16rem" />,
)

export type Terms = RegisterConfig['tnc']

/** The company's terms, and a link to where they are published. */
export function TermsText({ terms }: { terms: Terms }) {
  return (
    <>
      <Markdown text={terms.body} />
      {terms.url === null ? null : (
        <a
          href={terms.url}
          target="_blank"
          rel="noreferrer"
          className="text-small break-words text-brand-text underline underline-offset-[0.2em]"
        >
          {terms.url}
        </a>
      )}
    </>
  )
}
