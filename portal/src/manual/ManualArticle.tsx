import { Trans, useLingui } from '@lingui/react/macro'
import ArrowLeftIcon from 'virtual:icons/arrow-left'
import ArrowRightIcon from 'virtual:icons/arrow-right'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode } from 'react'
import { Loaded } from '../kit/page/Loaded.tsx'
import { paths } from '../paths.ts'
import { NotFoundPage } from '../shell/NotFoundPage.tsx'
import { Markdown, type OwnParts } from '../ui/page/Markdown.tsx'
import { PageFrame } from '../ui/page/PageFrame.tsx'
import { Skeleton } from '../ui/page/Skeleton.tsx'
import { allPages } from './chapters.ts'
import { markRead } from './readPages.ts'
import { type Manual, readPage, useManual } from './manualTexts.ts'

/** One page of the manual. */
export function ManualArticle(): ReactNode {
  const { t } = useLingui()
  const { page = '' } = useParams({ strict: false })
  const query = useManual()
  if (!allPages.includes(page)) return <NotFoundPage />
  return (
    <PageFrame width="page">
      <article key={page} className="mx-auto w-full max-w-[68ch] lang-zh:max-w-[36em]">
        <Link
          {...paths.manual()}
          className="-ms-3 mb-2 inline-flex min-h-12 items-center gap-2 px-3 text-ink no-underline"
        >
          <ArrowLeftIcon size={24} aria-hidden="true" />
          {t({ id: 'man.title', message: 'User manual' })}
        </Link>
        <Loaded
          query={query}
          name={t({ id: 'static.page', message: 'This page' })}
          skeleton={<Skeleton height="24rem" />}
        >
          {(manual) => <Page manual={manual} name={page} />}
        </Loaded>
      </article>
    </PageFrame>
  )
}

function Page({ manual, name }: { manual: Manual; name: string }) {
  const page = readPage(manual, name)
  const next = allPages[allPages.indexOf(name) + 1]
  const nextPage = next === undefined ? null : readPage(manual, next)
  if (page === null) return null
  return (
    <>
      <h1 className="mb-5 text-title-l">{page.title}</h1>
      <Markdown text={page.body} own={partsOf(manual)} />
      <EndOfPage name={name} />
      {next === undefined || nextPage === null ? null : (
        <p className="mt-8 border-t border-line pt-2">
          <Link
            {...paths.manualPage(next)}
            className="flex min-h-12 items-center justify-between gap-3 text-ink no-underline"
          >
            <span>
              <span className="block text-small text-ink2">
                <Trans id="man.next">Next</Trans>
              </span>
              <span className="text-strong">{nextPage.title}</span>
            </span>
            <ArrowRightIcon size={24} aria-hidden="true" className="shrink-0" />
          </Link>
        </p>
      )}
    </>
  )
}

/** The size of the manual's pictures, as `e2e` takes them. */
const size = { width: 390, height: 700 }

function partsOf(manual: Manual): OwnParts {
  return {
    picture: (file, alt) => (
      <img
        {...size}
        src={manual.pictures[file]}
        alt={alt}
        loading="lazy"
        decoding="async"
        className={
          'my-2 h-auto w-80 max-w-full justify-self-center rounded-card border border-line ' +
          'dark:brightness-90'
        }
      />
    ),
    page: (file, content) => (
      <Link
        {...paths.manualPage(file.replace(/\.md$/, ''))}
        className="text-brand-text underline underline-offset-[0.2em]"
      >
        {content}
      </Link>
    ),
  }
}

/** A page counts as read when its end was visible. */
function EndOfPage({ name }: { name: string }) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (end.current === null) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) markRead(name)
    })
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [name])
  // An element without height would never count as visible.
  return <div ref={end} className="h-px" />
}
