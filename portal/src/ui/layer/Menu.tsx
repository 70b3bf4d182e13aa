import { Menu as Base } from '@base-ui/react/menu'
import CheckIcon from 'virtual:icons/check-bold'
import type { ReactNode, RefObject } from 'react'
import { useLayer } from './layers.ts'

export type MenuProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The button of the menu; it gets the focus back. */
  anchor: RefObject<HTMLElement | null>
  label: string
  children: ReactNode
}

/** A menu below its button; on a phone, a sheet at the bottom. Load it when it is opened. */
export function Menu({ open, onOpenChange, anchor, label, children }: MenuProps) {
  useLayer(open, () => onOpenChange(false))
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

/** The landmark of the button: screen readers may miss content outside all landmarks. */
function landmarkOf({ current }: RefObject<HTMLElement | null>): HTMLElement | undefined {
  return current?.closest<HTMLElement>('header, main') ?? undefined
}

/** Two lines at the top of the menu: whose it is. */
export function MenuHeader({ title, note }: { title: ReactNode; note?: ReactNode }) {
  return (
    <div className="px-3 pt-2 pb-3">
      <p className="text-strong">{title}</p>
      {note ? <p className="text-small text-ink2">{note}</p> : null}
    </div>
  )
}

/** A line between groups. */
export function MenuSeparator() {
  return <Base.Separator className="mx-3 my-2 h-px bg-line" />
}

export type MenuItemProps = {
  icon?: ReactNode
  disabled?: boolean | undefined
  onSelect: () => void
  children: ReactNode
}

/** One action of the menu. */
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
  /** `lang`: the language of the option's label. */
  options: readonly { value: Value; label: string; lang?: string | undefined }[]
  onChange: (value: Value) => void
  /** Choosing closes the menu, unless the caller shows the result in it. */
  closeOnChoose?: boolean | undefined
}

/** A choice with the current option ticked. */
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
            <CheckIcon size={20} aria-hidden="true" />
          </Base.RadioItemIndicator>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  )
}
