import { useId, type ReactNode } from 'react'

export type BlockProps = {
  title: string
  /** A count after the title, in a lighter colour. */
  count?: ReactNode
  /** At the right edge of the heading row. */
  action?: ReactNode
  titleAs?: 'h2' | 'h3' | undefined
  children: ReactNode
}

/** A section with a heading row. It has no box; space separates it from the next one. */
export function Block({ title, count, action, titleAs: Title = 'h2', children }: BlockProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4">
        <Title id={id} className="text-strong">
          {title}
          {count === undefined || count === null ? null : (
            <span className="num ms-2 font-normal text-ink2">{count}</span>
          )}
        </Title>
        {action ? <div className="block-action">{action}</div> : null}
      </div>
      {children}
    </section>
  )
}
