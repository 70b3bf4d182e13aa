import type { RegisterConfig } from '@tillside/contract/company'
import { lazy, Suspense } from 'react'
import { Skeleton } from '../ui/page/Skeleton.tsx'

const Markdown = lazy(async () => ({ default: (await import('../ui/page/Markdown.tsx')).Markdown }))

export type Terms = RegisterConfig['tnc']

/** The company's terms, and a link to where they are published. */
export function TermsText({ terms }: { terms: Terms }) {
  return (
    <>
      <Suspense fallback={<Skeleton height="16rem" />}>
        <Markdown text={terms.body} />
      </Suspense>
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
