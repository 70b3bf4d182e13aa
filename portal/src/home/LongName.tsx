import { type RefObject, useLayoutEffect, useState } from 'react'

type LongNameProps = { heading: RefObject<HTMLHeadingElement | null>; name: string }

/**
 * The member's name as the heading of the page. In a bar it has two lines; a longer one opens when
 * it is pressed, because a touch screen shows no `title`.
 */
export function LongName({ heading, name }: LongNameProps) {
  const [open, setOpen] = useState(false)
  const [isCut, setIsCut] = useState(false)
  useLayoutEffect(() => {
    const { current } = heading
    if (current === null) return undefined
    const watch = new ResizeObserver(() => {
      const text = current.querySelector('.name')
      if (text !== null && !open) setIsCut(text.scrollHeight > text.clientHeight + 1)
    })
    watch.observe(current)
    return () => watch.disconnect()
  }, [heading, open])
  const text = (
    <span
      className={
        'name min-w-0 text-start break-words expanded:line-clamp-none ' +
        (open ? 'block' : 'line-clamp-2')
      }
    >
      {name}
    </span>
  )
  return (
    <h1 ref={heading} tabIndex={-1} className="min-w-0 text-strong expanded:text-title-l">
      {isCut ? (
        <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {text}
        </button>
      ) : (
        text
      )}
    </h1>
  )
}
