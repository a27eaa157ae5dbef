import type { CSSProperties } from 'react'
import classes from './design.module.css'
import { readTheme, Samples } from './samples.tsx'

const SIZES = [
  { name: '--t8', px: 40, text: '€14.95', use: 'the one number of a page' },
  { name: '--t7', px: 28, text: 'What do you want to find?', use: 'title of a page' },
  { name: '--t6', px: 22, text: 'Trackers', use: 'title of a list or sheet' },
  { name: '--t5', px: 18, text: 'Van 01', use: 'title of a panel, main address' },
  { name: '--t4', px: 16, text: 'Directions', use: 'lead, big buttons, fields on touch' },
  { name: '--t3', px: 14, text: 'Avenida Italia 3035, Parque Batlle', use: 'text, fields, buttons' },
  { name: '--t2', px: 13, text: 'At rest 2 h', use: 'rows, chips, labels' },
  { name: '--t1', px: 12, text: '40 s ago · ±8 m', use: 'column heads, captions' },
] as const

const STEPS = [1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 40]

const CORNERS = ['--r-s', '--r-m', '--r-l']

/** The tokens that are colours, in the order of the style sheet; Mantine's are made of them. */
const listColours = (tokens: Record<string, string>) =>
  Object.keys(tokens).filter((name) => !name.startsWith('--mantine') && /^(#|var\()/.test(tokens[name] ?? ''))

export const Foundations = () => (
  <>
    <Samples title="Type" lead="Eight sizes in rem and two weights, in Inter with tabular figures; −0.02 em from 22 px up.">
      {() => (
        <>
          <ul className={classes.sizes}>
            {SIZES.map(({ name, px, text, use }) => (
              <li key={name}>
                <code>{name}</code>
                <span className={classes.dim}>{px} px</span>
                <span className={classes.specimen} data-large={px >= 22 || undefined} style={{ fontSize: `var(${name})` }}>
                  {text}
                </span>
                <span className={classes.dim}>{use}</span>
              </li>
            ))}
          </ul>
          <p className={classes.weights}>
            <span>Regular 400</span>
            <b>Semibold 600</b>
          </p>
        </>
      )}
    </Samples>
    <Samples title="Colours" lead="One accent. Other colours mean a kind of tracker or a state.">
      {(theme) => (
        <ul className={classes.swatches}>
          {listColours(readTheme(theme)).map((name) => (
            <li key={name}>
              <i style={{ background: `var(${name})` }} />
              <code>{name}</code>
            </li>
          ))}
        </ul>
      )}
    </Samples>
    <Samples title="Space, corners and shadow" lead="1 px, 2 px and steps of 4 px; what floats has one shadow.">
      {() => (
        <>
          <ul className={classes.spaces}>
            {STEPS.map((px) => (
              <li key={px}>
                <i style={{ width: px, height: px }} />
                <span className={classes.dim}>{px}</span>
              </li>
            ))}
          </ul>
          <ul className={classes.corners}>
            {CORNERS.map((name) => (
              <li key={name} style={{ '--corner': `var(${name})` } as CSSProperties}>
                <code>{name}</code>
              </li>
            ))}
            <li data-floats>
              <code>--shadow</code>
            </li>
          </ul>
        </>
      )}
    </Samples>
  </>
)
