import { chooseEngine } from '#db/schema/engine.ts'
import { runMain } from '#server/http/process.ts'

/** The operator's program. Its modules are loaded once the engine is chosen, because loading builds the tables. */
runMain(async () => {
  chooseEngine(process.env.DATABASE_URL)
  const { operate } = await import('./operate.ts')
  await operate(process.env, process.argv.slice(2))
})
