import { Trans, useLingui } from '@lingui/react/macro'
import ArrowRightIcon from 'virtual:icons/arrow-right'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useConfigQuery } from '../company/config.ts'
import { PageTitle } from '../kit/page/PageTitle.tsx'
import { Loaded } from '../kit/page/Loaded.tsx'
import { paths } from '../paths.ts'
import { Markdown } from '../ui/page/Markdown.tsx'
import { PageFrame } from '../ui/page/PageFrame.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { NotFoundPage } from './NotFoundPage.tsx'

/** The company's own page for its staff. */
export function StaticPage(): ReactNode {
  const { t } = useLingui()
  const query = useConfigQuery()
  if (query.data?.staticPage === null) return <NotFoundPage />
  return (
    <PageFrame width="page">
      <article className="mx-auto w-full max-w-[68ch] lang-zh:max-w-[36em]">
        <Loaded
          query={query}
          name={t({ id: 'static.page', message: 'This page' })}
          skeleton={<Paragraphs />}
        >
          {({ staticPage }) => (
            <>
              <PageTitle back={paths.modules()} title={staticPage?.title} />
              <div className="mt-4">
                <Markdown text={staticPage?.body ?? ''} />
              </div>
              <RulesLink from="static" />
            </>
          )}
        </Loaded>
      </article>
    </PageFrame>
  )
}

/** The link to the company's rules, at the end of a page. */
export function RulesLink({ from }: { from: 'manual' | 'static' }): ReactNode {
  return (
    <p className="mt-8 border-t border-line pt-2">
      <Link
        {...paths.rules(from)}
        className="flex min-h-12 items-center justify-between gap-3 text-ink no-underline"
      >
        <span className="text-strong">
          <Trans id="rules.title">Membership rules</Trans>
        </span>
        <ArrowRightIcon size={24} aria-hidden="true" className="shrink-0" />
      </Link>
    </p>
  )
}

function Paragraphs() {
  return (
    <div className="grid gap-4">
      <Skeleton width="16rem" height="2rem" />
      <Skeleton height="5rem" />
      <Skeleton height="7rem" />
      <Skeleton height="4rem" />
    </div>
  )
}
