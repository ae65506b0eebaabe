/** Code of the program that runs pipelines, which the site `harbor` documents. */
export const HARBOR: Readonly<Record<string, string>> = {
  'Cargo.toml': '[package]\nname = "harbor-runner"\nversion = "0.9.0"\npublish = false\n',
  'src/manifest.rs': `use crate::bounded::{bounded, Bounded};

/// One pipeline of \`harbor.toml\`.
pub struct Pipeline {
    pub image: String,
    pub steps: Vec<String>,
    pub after: Vec<String>,
    pub timeout: Bounded<u16>,
    pub retries: Bounded<u8>,
}

pub fn defaults() -> (Bounded<u16>, Bounded<u8>) {
    let timeout = bounded(60).between(1, 360);
    let retries = bounded(1).between(0, 4);
    (timeout, retries)
}
`,
  'src/cache.rs': `pub const EXPIRES_AFTER_DAYS: u64 = 10;
pub const MAX_GIGABYTES: u64 = 5;

pub fn sweep(store: &mut Store, today: Day) -> usize {
    let before = store.len();
    store.retain(|cache| today.since(cache.last_use) < EXPIRES_AFTER_DAYS);
    store.retain(|cache| cache.gigabytes() <= MAX_GIGABYTES);
    before - store.len()
}
`,
  'src/machine.rs': `/// Size of the virtual machine of a pipeline.
pub const CORES: u32 = 4;
pub const MEMORY_GIGABYTES: u32 = 16;

pub fn start(image: &str) -> Result<Machine, StartError> {
    let disk = overlay_disk(image)?;
    let machine = Machine::new(CORES, MEMORY_GIGABYTES, disk);
    machine.boot()
}
`,
}

/** Configuration of the machines that run the pipelines. */
export const CONTROL: Readonly<Record<string, string>> = {
  'fleet/machines.yaml': `fleet:
  region: eu-1
  machines:
    - name: standard
      cores: 4
      memoryGigabytes: 12
      default: true
`,
}
