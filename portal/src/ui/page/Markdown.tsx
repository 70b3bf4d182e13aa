import { Fragment, useMemo, type ReactNode } from 'react'
import { type Block, type Inline, type List, readMarkdown } from './readMarkdown.ts'

export type MarkdownProps = {
  text: string
  /** The level of the top headings: one below the title above the text. */
  top?: 2 | 3
  /** How pictures and links to pages are rendered; by default only their words. */
  own?: OwnParts
}

/** Elements that only our own texts may contain: a company's text never has pictures. */
export type OwnParts = {
  picture: (file: string, alt: string) => ReactNode
  page: (file: string, content: ReactNode) => ReactNode
}

const plain: OwnParts = {
  picture: (_, alt) => <p>{alt}</p>,
  page: (_, content) => content,
}

/** Renders Markdown as elements, never as HTML. Load it lazily, because few pages need it. */
export function Markdown({ text, top = 2, own = plain }: MarkdownProps): ReactNode {
  const blocks = useMemo(() => readMarkdown(text), [text])
  // Some texts start with `#`, some with `##`.
  const topmost = Math.min(...blocks.map((block) => (block.kind === 'heading' ? block.level : 6)))
  return (
    <div className="grid gap-4 leading-[1.7] break-words">
      {blocksOf(blocks, { shift: top - topmost, own })}
    </div>
  )
}

const levels = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const
const headingClasses = ['text-title mt-2', 'text-strong mt-1', 'text-body font-semibold']

type Setting = { shift: number; own: OwnParts }

function blocksOf(blocks: readonly Block[], setting: Setting): ReactNode {
  const { shift, own } = setting
  return withKeys(blocks, (block) => {
    if (block.kind === 'paragraph') return <p>{inlineOf(block.content, own)}</p>
    if (block.kind === 'list') return <Items block={block} setting={setting} />
    if (block.kind === 'picture') return own.picture(block.file, block.alt)
    const Level = levels[block.level + shift - 1] ?? 'h6'
    return (
      <Level
        className={headingClasses[Math.min(block.level + shift - 2, headingClasses.length - 1)]}
      >
        {inlineOf(block.content, own)}
      </Level>
    )
  })
}

function Items({ block, setting }: { block: List; setting: Setting }) {
  const items = withKeys(block.items, (item) => <li className="ps-1">{itemOf(item, setting)}</li>)
  return block.ordered ? (
    <ol start={block.start} className="grid list-decimal gap-1.5 ps-6 marker:text-ink2">
      {items}
    </ol>
  ) : (
    <ul className="grid list-disc gap-1.5 ps-6 marker:text-ink3">{items}</ul>
  )
}

/** An item with one paragraph gets the spacing of a line. */
function itemOf(blocks: readonly Block[], setting: Setting): ReactNode {
  const [first, ...rest] = blocks
  if (first?.kind !== 'paragraph') return blocksOf(blocks, setting)
  return (
    <>
      {inlineOf(first.content, setting.own)}
      {rest.length === 0 ? null : (
        <div className="mt-1.5 grid gap-1.5">{blocksOf(rest, setting)}</div>
      )}
    </>
  )
}

function inlineOf(content: readonly Inline[], own: OwnParts): ReactNode {
  return withKeys(content, (part) => {
    switch (part.kind) {
      case 'text':
        return part.text
      case 'break':
        return <br />
      case 'strong':
        return <strong className="font-semibold">{inlineOf(part.content, own)}</strong>
      case 'emphasis':
        return <em>{inlineOf(part.content, own)}</em>
      case 'page':
        return own.page(part.file, inlineOf(part.content, own))
      case 'link':
        return (
          <a
            href={part.address}
            target="_blank"
            rel="noreferrer"
            className="text-brand-text underline underline-offset-[0.2em]"
          >
            {inlineOf(part.content, own)}
          </a>
        )
    }
  })
}

/** The text is constant while it is shown, so a part's index can be its key. */
function withKeys<T>(parts: readonly T[], draw: (part: T) => ReactNode): ReactNode {
  return [...parts.entries()].map(([place, part]) => <Fragment key={place}>{draw(part)}</Fragment>)
}
