import { Suspense } from 'react'
import { lazy } from '#web/lib/chunk.ts'
import { loadOperatorWords } from '#web/operator/session/operator-words.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'

const Console = lazy(async () => (await Promise.all([import('./console.tsx'), loadOperatorWords()]))[0])

/** The operator's console, with its words. */
export default function OperatorScreen() {
  return (
    <Suspense fallback={<SkeletonRows />}>
      <Console />
    </Suspense>
  )
}
