/**
 * Characters that look like an ASCII letter or digit and that compatibility normalization keeps: the
 * letter, followed by the code points in hexadecimal. From `confusables.txt` of UTS #39 (Unicode
 * Security Mechanisms), with the small capitals and the letters whose lower case it does not list.
 */
const GROUPS = `
2 a75a 1a7 3e8 a644 14bf a6ef 1bb
3 1d206 a7ab 21c 1b7 a76a 2ccc 417 4e0 16f3b 118ca 498
4 13ce 118af
5 1bc 118bb
6 2cd2 431 13ee 118d5
7 1d212 104d2 118c6
8 9ea a6a 1e8cb 223 222 1031a
9 a67 b68 9ed d6d a76e 2cca 118cc 118ac 118d6
A 391 410 13aa
B 184 42c 13cf a7b4 392 412 13f4 182 411 48c 462
C 2ca4 421 13df 10415 4aa
D 13e7 13a0 110 d0 189
E 395 415 13ac 118a6 118ae 246
F a798 3dc 118a2 191
G 50c 13c0 13f3 1e4
H 13c2 397 2c8e 41d 13bb 13f2 2c67 4a2 126 4c9 4c7
I 13a5 1c0 399 2c92 406 4c0 a4f2
J a7b2 37f 408 13ab 248
K 39a 2c94 41a 13e6 2c69 49a a740 49e
L 196 2cd0 13de 118a3 118b2 1041b 141 197
M 39c 3fa 2c98 41c 13b7 4cd
N 39d 2c9a 19d
O 39f 2c9e 41e 555 104c2 118b5 10404 d8 19f a74a 398 4e8 472 13be 13eb
P 3a1 2ca2 420 13e2
R 1a6 13a1 13d2 104b4
S 405 54f 13d5 13da 10420
T 3a4 2ca6 422 13a2 118bc 23e 1ae 4ac 166
U 54d 104ce 118b8 244 13cc
V 474 13d9 118a0
W 51c 13b3 13d4
X a7b3 3a7 2cac 425 4b2
Y 3a5 2ca8 423 4ae 13a9 13bd 118a4 24e 4b0
Z 396 13c3 118a9 1b5 224
a 237a 251 3b1 430 15c5 a4ee 16f40 102a0 2376 1d00 1f170 1f150
b 15af 15f7 a4d0 10282 102a1 10301 253 183 180 48d 463 299 432 13fc 1f171
c 1d04 2ca5 441 abaf 1043d 1f74c 118f2 118e9 a4da 102a2 10302 1051c a2 23c 20a1 4ab
d 501 146f a4d2 15de 15ea a4d3 257 256 18c 111 20ab 1d05
e 212e ab32 435 4bd 22ff 2d39 a4f0 10286 247 4bf 1d07 3b5 454
f ab35 a799 1e9d 584 1d213 15b4 a4dd 118c2 10287 102a5 10525 192 1d6e a730
g 261 1d83 18d 581 a4d6 260 1e5 262
h 4bb 570 157c a4e7 102cf 266 a695 127 45b 29c 43d
i 2373 131 26a 269 3b9 456 a647 4cf ab75 118c3 2378 268 1d7b 1d7c
j 3f3 458 148d a4d9 249 1d0a
k 16d5 a4d7 10518 199 20ad 1d0b 3ba 43a
l 5c0 2223 23fd 661 6f1 10320 1e8c7 5d5 5df 627 7ca 2d4f 16c1 16f28 1028a 10309 1d22a 14aa a4e1 16f16 10526 142 26d 19a 26b 673 29f
m 15f0 16d6 a4df 102b0 10311 1d0d 43c
n 578 57c a4e0 10513 1018e 273 19e 3b7 1d70 274 1d0e
o 966 a66 ae6 be6 c66 ce6 d66 e50 ed0 1040 665 6f5 1d0f 1d11 ab3d 3bf 3c3 2c9f 43e 10ff 585 5e1 647 6be 6c1 6d5 d20 101d 104ea 118c8 118d7 1042c 7c0 9e6 b66 3007 114d0 118e0 2d54 12d0 b20 a4f3 10292 102ab 10516 6ff f8 ab3e 2d41 275 a74b 4e9 473 ab8e abbb 2296 229d 236c 1d21a 1f714 3b8 2d31 ab74 1010
p 2374 3c1 2ca3 440 146d a4d1 10295 1a5 1d7d 1d18
q 51b 563 566 2d55 2a0
r ab47 ab48 1d26 2c85 433 ab81 1d216 1587 a4e3 16f35 27d 27c 24d 493 1d72 280 1d19 44f
s a731 1bd 455 abaa 118c1 10448 a4e2 16f3a 10296 282 1d74
t 22a4 27d9 1f768 a4d4 16f0a 10297 102b1 10315 1ad 2361 20ae 167 1d75 1d1b 3c4 442
u a79f 1d1c ab4e ab52 28b 3c5 57d 104f6 118d8 222a 22c3 1200 144c a4f4 16f42 1d7e ab9c 3bc
v 2228 22c1 1d20 3bd 475 5d8 11706 aba9 118c0 1d20d 667 6f7 2d38 142f a6df a4e6 16f08 1051d 10197 1f708
w 26f 1d21 461 51d 561 1170a 1170e 1170f ab83 118ef 118e6 a4ea 47d 114c5 20a9 a761 3c9
x 166e d7 292b 292c 2a2f 445 1541 157d 166d 2573 10322 118ec 2d5d 16b7 a4eb 10290 102b4 10317 10527 2a30 10196 3c7
y 263 1d8c 28f 1eff ab5a 3b3 443 4af 10e7 118dc a4ec 16f43 102b2 1b4 24f 4b1 a5 28e
z 1d22 ab93 118c4 102f5 118e5 a4dc 290 1b6 225 1d76
`

/** The ASCII character that each character looks like. */
export const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  GROUPS.trim()
    .split('\n')
    .flatMap((row) => {
      const [letter = '', ...codes] = row.split(' ')
      return codes.map((code) => [String.fromCodePoint(Number.parseInt(code, 16)), letter] as const)
    }),
)
