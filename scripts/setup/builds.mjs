import { run } from './run.mjs'
import { SetupError, say } from './say.mjs'
import { isStale } from './stamps.mjs'

/** Builds the targets whose inputs changed since their last build. */
export const ensureBuilt = (root, targets) => {
  const stale = targets.filter((target) => isStale(root, target))
  if (stale.length === 0) return
  say(`building ${stale.join(', ')}`)
  if (run(root, 'tsx', ['scripts/build.ts', ...stale])) return
  throw new SetupError(`the build of ${stale.join(', ')} failed (see above). Repeat it alone with: npm run build -- ${stale.join(' ')}`)
}
