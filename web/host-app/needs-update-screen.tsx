import { NeedsUpdate } from './native-page.tsx'

/** Serves every unknown /app/native path and its alias /exit. */
export default function NeedsUpdateScreen() {
  return <NeedsUpdate />
}
