import classes from './switch.module.css'

type Props = { label: string; isOn: boolean; isBusy?: boolean; onChange: (isOn: boolean) => void }

/** Something that is on or off, which changes at once. */
export const Switch = ({ label, isOn, isBusy = false, onChange }: Props) => (
  <label className={classes.switch} title={label}>
    <input
      type="checkbox"
      role="switch"
      aria-label={label}
      aria-busy={isBusy || undefined}
      aria-checked={isOn}
      checked={isOn}
      onChange={({ target }) => !isBusy && onChange(target.checked)}
    />
  </label>
)
