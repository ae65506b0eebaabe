/** Common misspellings, as `wrong right` pairs. */
const PAIRS = `
abreviation abbreviation|absense absence|acces access|accessable accessible|accidently accidentally|accomodate accommodate
accross across|acheive achieve|acknowlege acknowledge|adress address|agressive aggressive|alot a lot|allways always
alredy already|appearence appearance|aquire acquire|arguement argument|asyncronous asynchronous|authentification authentication
autentication authentication|automaticaly automatically|availabe available|avaliable available|becuase because|begining beginning
beleive believe|calender calendar|catagory category|certificat certificate|changable changeable|comand command|commited committed
comming coming|compatability compatibility|completly completely|concious conscious|configration configuration|connecton connection
consistant consistent|containts contains|continous continuous|definately definitely|dependancy dependency|deprected deprecated
desciption description|developement development|diferent different|dissapear disappear|documentaion documentation
enviroment environment|enviroments environments|excecute execute|excute execute|execption exception|existance existence|expresion expression
finaly finally|follwing following|fourty forty|freind friend|functionallity functionality|garantee guarantee|goverment government
happend happened|immediatly immediately|importent important|independant independent|infomation information|initalize initialize
instal install|intallation installation|interupt interrupt|langauge language|lenght length|libary library|maintainance maintenance
managment management|neccessary necessary|necesary necessary|nessecary necessary|noticable noticeable|occassion occasion
occured occurred|occurence occurrence|occurr occur|ommit omit|overriden overridden|paramter parameter|parralel parallel|perfomance performance
permision permission|persistant persistent|posible possible|preceeding preceding|prefered preferred|priviledge privilege|proccess process
programatically programmatically|publically publicly|queing queuing|reccomend recommend|reccuring recurring|recieve receive|recieved received
recieves receives|recomend recommend|refered referred|relevent relevant|remeber remember|remebers remembers|repositry repository|requirment requirement
resouce resource|responce response|retreive retrieve|schedual schedule|schedul schedule|seperate separate|seperated separated
seperately separately|similiar similar|sofware software|specifiy specify|succesful successful|succesfully successfully|successfull successful
suport support|syncronous synchronous|teh the|threshhold threshold|tommorow tomorrow|transfered transferred|truely truly|untill until
usally usually|usefull useful|verison version|wether whether|wich which|wierd weird|writen written|yeild yield`

/** The right spelling by misspelling, in lower case. */
export const MISSPELLINGS: ReadonlyMap<string, string> = new Map(
  PAIRS.split(/[|\n]/)
    .map((pair) => pair.trim())
    .filter(Boolean)
    .map((pair) => [pair.slice(0, pair.indexOf(' ')), pair.slice(pair.indexOf(' ') + 1)] as const),
)

/** Words that are a mistake when they occur twice in a row. */
const DOUBLED = 'the a an and to of in it as for on with be are or at by from you this we is its when if not'.split(' ')

/** RE2 patterns that find all mistakes, each small enough for one search. */
export function buildMistakePatterns(): string[] {
  const words = [...MISSPELLINGS.keys()]
  const patterns: string[] = []
  for (let start = 0; start < words.length; start += 70) {
    patterns.push(`\\b(?:${words.slice(start, start + 70).join('|')})\\b`)
  }
  return [...patterns, `\\b(?:${DOUBLED.map((word) => `${word} ${word}`).join('|')})\\b`]
}

const anyWord = new RegExp(`\\b(?:${[...MISSPELLINGS.keys()].join('|')})\\b`, 'gi')
const anyDouble = new RegExp(`\\b(${DOUBLED.join('|')}) \\1\\b`, 'gi')

/** Corrects a line outside of its inline code. Returns the corrections in the form `wrong → right`. */
export function correctLine(line: string): { text: string; corrections: string[] } {
  const corrections: string[] = []
  const note = (wrong: string, right: string) => {
    corrections.push(`"${wrong}" → "${right}"`)
    return right
  }
  const text = line
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith('`')
        ? part
        : part
            .replace(anyWord, (wrong) => note(wrong, toCase(wrong, MISSPELLINGS.get(wrong.toLowerCase()) ?? wrong)))
            .replace(anyDouble, (wrong, word: string) => note(wrong, word)),
    )
    .join('')
  return { text, corrections }
}

const toCase = (like: string, word: string): string =>
  /^\p{Lu}/u.test(like) ? word.charAt(0).toUpperCase() + word.slice(1) : word
