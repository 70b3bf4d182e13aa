import { Menu as Base } from '@base-ui/react/menu'
import CheckIcon from 'virtual:icons/check'
import type { ReactNode, RefObject } from 'react'

export type MenuProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The button that it hangs from; the focus goes back to it. */
  anchor: RefObject<HTMLElement | null>
  label: string
  children: ReactNode
}

/** A menu below its button; on a phone the same menu is a sheet from below. Load it when opened. */
export function Menu({ open, onOpenChange, anchor, label, children }: MenuProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)} modal>
      <Base.Portal container={landmarkOf(anchor)}>
        <Base.Backdrop className="shade shade-compact" />
        <Base.Positioner className="menu-frame" anchor={anchor} align="end" sideOffset={8}>
          <Base.Popup className="menu" aria-label={label} finalFocus={anchor}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** The landmark that the button stands in: outside of all of them a screen reader may miss it. */
function landmarkOf({ current }: RefObject<HTMLElement | null>): HTMLElement | undefined {
  return current?.closest<HTMLElement>('header, main') ?? undefined
}

/** Two lines at the top that say whose menu it is. */
export function MenuHeader({ title, note }: { title: ReactNode; note?: ReactNode }) {
  return (
    <div className="px-3 pt-2 pb-3">
      <p className="text-strong">{title}</p>
      {note ? <p className="text-small text-ink2">{note}</p> : null}
    </div>
  )
}

/** A hairline between groups. */
export function MenuSeparator() {
  return <Base.Separator className="mx-3 my-2 h-px bg-line" />
}

export type MenuItemProps = {
  icon?: ReactNode
  disabled?: boolean | undefined
  onSelect: () => void
  children: ReactNode
}

/** One act in a menu. */
export function MenuItem({ icon, disabled, onSelect, children }: MenuItemProps) {
  return (
    <Base.Item
      className="menu-row data-disabled:cursor-not-allowed data-disabled:text-ink3"
      disabled={disabled}
      onClick={onSelect}
    >
      {icon}
      <span>{children}</span>
    </Base.Item>
  )
}

export type MenuRadioGroupProps<Value extends string> = {
  label: string
  value: Value
  /** `lang`: an option that is written in a language of its own. */
  options: readonly { value: Value; label: string; lang?: string | undefined }[]
  onChange: (value: Value) => void
  /** Choosing closes the menu, unless the caller wants to show the result in it. */
  closeOnChoose?: boolean | undefined
}

/** One of several, the current one ticked. */
export function MenuRadioGroup<Value extends string>(props: MenuRadioGroupProps<Value>) {
  const { label, value, options, onChange, closeOnChoose = true } = props
  return (
    <Base.RadioGroup
      value={value}
      onValueChange={(chosen: unknown) => {
        const option = options.find((candidate) => candidate.value === chosen)
        if (option) onChange(option.value)
      }}
    >
      <Base.GroupLabel className="px-3 pt-2 pb-1 text-caption text-ink2">{label}</Base.GroupLabel>
      {options.map((option) => (
        <Base.RadioItem
          key={option.value}
          value={option.value}
          lang={option.lang}
          closeOnClick={closeOnChoose}
          className="menu-row justify-between data-checked:font-semibold"
        >
          <span>{option.label}</span>
          <Base.RadioItemIndicator className="text-brand-text">
            <CheckIcon size={20} weight="bold" aria-hidden="true" />
          </Base.RadioItemIndicator>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  )
}
