import type { ComponentPropsWithRef, ReactNode } from 'react'

export type IconButtonProps = Omit<ComponentPropsWithRef<'button'>, 'children' | 'style'> & {
  /** The accessible name, because the icon has none. */
  label: string
  icon: ReactNode
}

/**
 * A button without a visible label. Only for back, close, scan and show, whose icons are well
 * known.
 */
export function IconButton({ label, icon, className, type = 'button', ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      className={
        'inline-grid size-12 shrink-0 place-items-center rounded-button text-ink ' +
        'transition-colors duration-[120ms] ' +
        'hover:bg-[color-mix(in_srgb,transparent,var(--ink)_6%)] ' +
        'active:bg-[color-mix(in_srgb,transparent,var(--ink)_12%)] ' +
        'disabled:cursor-not-allowed disabled:bg-transparent disabled:text-ink3 ' +
        (className ?? '')
      }
    >
      {icon}
    </button>
  )
}
