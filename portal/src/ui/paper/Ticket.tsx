import CheckIcon from 'virtual:icons/check-bold'
import { useEffect, useId, type ReactNode } from 'react'
import { Stamp } from './Stamp.tsx'
import { useControlled } from '../field/useControlled.ts'
import { Tag, type TagTone } from './Tag.tsx'

type TicketState = 'valid' | 'future' | 'used' | 'expired' | 'unclear'

export type TicketProps = {
  state: TicketState
  title: string
  /** The number of alike tickets in this stack, if more than one. */
  count?: string | undefined
  /** Below the title: value, dates. */
  lines?: ReactNode
  code?: string | undefined
  tag?: { tone: TagTone; text: string } | undefined
  /**
   * The part that is torn off: the action, or why there is none. Without it the ticket has no
   * perforation.
   */
  stub?: ReactNode
  /** The lines of the stamp on a used ticket. */
  stamp?: readonly string[] | undefined
  /** The server has just confirmed the use: plays the tearing animation. Never set on load. */
  tearing?: boolean | undefined
  titleAs?: 'h2' | 'h3' | 'h4' | 'p' | undefined
  /** Called when the body is pressed, to show the details. */
  onOpen?: (() => void) | undefined
  /** Makes the body a checkbox. */
  tick?: TicketTick | undefined
}

export type TicketTick = { checked: boolean; onChange: (checked: boolean) => void }

/** A ticket with a perforation; a used one is torn and stamped. */
export function Ticket(props: TicketProps) {
  const { state, title, count, lines, code, tag, stub, stamp, tearing, onOpen, tick } = props
  const Title = props.titleAs ?? 'h3'
  const id = useId()
  const torn = state === 'used'
  const tear = torn && tearing === true
  useEffect(() => {
    if (tear && 'vibrate' in navigator) navigator.vibrate(20)
  }, [tear])
  const quiet = torn || state === 'expired'
  const hasStub = !torn && isShown(stub)
  return (
    <article aria-labelledby={id} className="@container">
      <div
        className={
          `ticket ticket-${state} ` +
          (hasStub ? 'ticket-perforated ' : '') +
          (tick?.checked ? 'ticket-ticked ' : '') +
          (tear ? 'ticket-tearing' : '')
        }
      >
        <div className="ticket-lift">
          <div className="ticket-paper">
            <div className="relative flex min-w-0 items-center">
              {tick ? <Tick {...tick} labelledBy={id} /> : null}
              <div
                className={
                  'flex min-w-0 flex-1 flex-col items-start justify-center gap-1 px-[16px] py-3.5'
                }
              >
                {tag ? <Tag tone={tag.tone}>{tag.text}</Tag> : null}
                <Title
                  id={id}
                  className={
                    'line-clamp-3 max-w-full text-strong ' +
                    (quiet ? 'font-normal text-ink2' : 'text-ink')
                  }
                >
                  {onOpen ? (
                    <button
                      type="button"
                      aria-haspopup="dialog"
                      className="ticket-open"
                      onClick={onOpen}
                    >
                      {title}
                    </button>
                  ) : (
                    title
                  )}
                  {count === undefined ? null : (
                    <span className="num ms-2 whitespace-nowrap">× {count}</span>
                  )}
                </Title>
                {lines ? (
                  <div
                    className={`num text-small ${state === 'expired' ? 'text-ink3' : 'text-ink2'}`}
                  >
                    {lines}
                  </div>
                ) : null}
                {code ? (
                  <p className="num max-w-full text-caption break-words text-ink2">{code}</p>
                ) : null}
              </div>
            </div>
            {hasStub ? (
              <div className={`ticket-stub ${state === 'future' ? 'text-small text-ink3' : ''}`}>
                {stub}
              </div>
            ) : null}
          </div>
        </div>
        {torn && stamp ? (
          <div className="ticket-torn">
            <Stamp lines={stamp} />
          </div>
        ) : null}
        {tear ? (
          <div className="ticket-ghost" aria-hidden="true" inert>
            <div className="ticket-stub">{stub}</div>
          </div>
        ) : null}
      </div>
    </article>
  )
}

function isShown(node: ReactNode): boolean {
  return node !== null && node !== undefined && node !== false
}

/** A checkbox over the whole body; the visible box is only an indicator. */
function Tick({ checked, onChange, labelledBy }: TicketTick & { labelledBy: string }) {
  const restore = useControlled()
  return (
    <>
      <input
        type="checkbox"
        aria-labelledby={labelledBy}
        checked={checked}
        onChange={(event) => {
          onChange(event.target.checked)
          restore()
        }}
        className="ticket-tick absolute inset-0 z-1 size-full cursor-pointer opacity-0"
      />
      <span
        aria-hidden="true"
        className={
          'ms-[16px] grid size-7 shrink-0 place-items-center rounded-tag border ' +
          (checked ? 'border-brand-edge bg-brand text-on-brand' : 'border-control')
        }
      >
        {checked ? <CheckIcon size={18} /> : null}
      </span>
    </>
  )
}
