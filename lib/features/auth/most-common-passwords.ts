/**
 * Passwords of at least eight characters among the 10,000 most common ones, in lowercase. The union
 * of two MIT-licensed lists: SecLists' 10-million-password-list-top-10000 (Daniel Miessler) and the
 * first 10,000 of zxcvbn's frequency list (Dropbox). Shorter passwords are rejected because of
 * their length.
 */
export const mostCommonPasswords = `
!qaz2wsx %%passwo 0.0.0.000 00000000 0000000000 0000000000o 01011900 01011910 01011950 01011960
01011961 01011970 01011971 01011972 01011973 01011974 01011975 01011976 01011977 01011978 01011979
01011980 01011981 01011982 01011983 01011984 01011985 01011986 01011987 01011988 01011989 01011990
01011991 01011992 01011993 01011994 01011995 01011999 01012000 01012001 01012009 01012010 01012011
01020304 0102030405 01021985 01021987 01021988 01021989 01021990 01021992 01022010 01031981
01031983 01031984 01031985 01031986 01031988 01031989 01041980 01041983 01041985 01041987 01041988
01041990 01041992 01041993 01051980 01051985 01051986 01051988 01051989 01051990 01061983 01061986
01061987 01061988 01061990 01061992 01071984 01071986 01071987 01071988 01071990 01081985 01081989
01081990 01081992 01091985 01091987 01091988 01091989 01091992 01101987 01121986 01121987 01121988
01121990 01234567 0123456789 01478520 0192837465 02011971 02011975 02011976 02011977 02011979
02011980 02011981 02011982 02011983 02011984 02011985 02011986 02011987 02011988 02011989 02011990
02021971 02021973 02021976 02021978 02021979 02021980 02021981 02021982 02021983 02021984 02021985
02021986 02021987 02021988 02021989 02021990 02021991 02031970 02031973 02031974 02031975 02031977
02031978 02031979 02031980 02031981 02031982 02031983 02031984 02031985 02031986 02031987 02031988
02031989 02031990 02031991 02041972 02041973 02041974 02041975 02041976 02041977 02041978 02041979
02041980 02041981 02041982 02041983 02041984 02041985 02041986 02041987 02041988 02041989 02051970
02051972 02051973 02051975 02051976 02051977 02051978 02051979 02051980 02051981 02051982 02051983
02051984 02051985 02051986 02051987 02051988 02051989 02051990 02061971 02061972 02061974 02061976
02061977 02061978 02061979 02061980 02061981 02061982 02061983 02061984 02061985 02061986 02061987
02061988 02061989 02061990 02071971 02071975 02071976 02071977 02071978 02071979 02071980 02071981
02071982 02071983 02071984 02071985 02071986 02071987 02071988 02071989 02081970 02081973 02081974
02081976 02081977 02081979 02081980 02081981 02081982 02081983 02081984 02081985 02081986 02081987
02081988 02081989 02091971 02091973 02091975 02091976 02091977 02091978 02091980 02091981 02091982
02091983 02091984 02091985 02091986 02091987 02091988 02091989 02101973 02101976 02101977 02101978
02101979 02101980 02101981 02101983 02101984 02101985 02101986 02101987 02101988 02101989 02111987
03011987 03011991 03021986 03031984 03031986 03031987 03031988 03031990 03031991 03031992 03031993
03041980 03041983 03041984 03041986 03041987 03041989 03041991 03051986 03051987 03051988 03061985
03061986 03061987 03061988 03071985 03071986 03071987 03081989 03082006 03091983 03091988 03101991
03111987 04021990 04031991 04041983 04041985 04041986 04041987 04041988 04041990 04041991 04051985
04051988 04061984 04061986 04061987 04061991 04071986 04071987 04071988 04081987 04091986 04111988
04111991 05011987 05021987 05021988 05031987 05031990 05031991 05041985 05051985 05051986 05051987
05051989 05051990 05051991 05061986 05061988 05061989 05061990 05071984 05071985 05071988 05081986
05081988 05081992 05091987 05091988 05111986 05121988 05121990 06011982 06011988 06021986 06021987
06031983 06031992 06041984 06041987 06041988 06051986 06061981 06061985 06061986 06061987 06061988
06071983 06081987 06101989 063dyjuy 07021980 07021991 07031989 07041987 07041988 07041989 07051987
07051990 07061988 07071977 07071982 07071984 07071985 07071987 07071988 07071989 07071990 07081984
07081986 07081987 07091982 07091988 07091990 07101984 07101987 08011986 08021990 08031985 08031986
08031987 08041985 08041986 08051987 08051989 08051990 08061987 08071985 08071987 08071988 08081986
08081988 08081989 08081990 08101986 08111984 08121986 08121987 085tzzqi 09021988 09021989 09031987
09031988 09041985 09041986 09041987 09051945 09051984 09051986 09051987 09081985 09081988 09090909
09091986 09091988 09111987 09876543 0987654321 0987654321q 0o9i8u7y 10011980 10011983 10011986
10011988 10011990 10011992 100200300 10021986 10021987 10031980 10031987 10031988 10031989
10031990 10031991 10031993 10041983 10041984 10041986 10041987 10041990 10041991 10051987 10051988
10051990 10061984 10061985 10061986 10061987 10061989 10071985 10071986 10071987 10071988 10071989
10071990 10081983 10081985 10081987 10081989 10081990 10091984 10091985 10091986 10101010 10101980
10101985 10101986 10101988 10101989 10101990 10111986 10121985 10121986 10121987 10203040
1020304050 10293847 1029384756 11001001 11011987 11011989 11011990 11011991 11021985 11031983
11031986 11031988 11041985 11041990 11041991 11051984 11051986 11051987 11051988 11051990 11061984
11061985 11061986 11061987 11061989 11061991 11071985 11071986 11071987 11071988 11071989 11081986
11081987 11081988 11081989 11081990 11091984 11091985 11091986 11091989 11091990 11101986 11111111
111111111 1111111111 11111986 11111987 11111991 11112222 1111qqqq 11121985 11121986 11121987
11122233 111222333 11221122 11223344 1122334455 112233445566 11235813 1123581321 12011985 12011987
12011989 12021984 12021985 12021988 12021990 12021991 12031985 12031987 12031988 12031990 12041986
12041988 12041990 12041991 12051985 12051986 12051987 12051988 12051989 12051990 12061986 12061987
12061988 12071984 12071987 12071988 12071989 12071990 12071991 12071992 12081983 12081984 12081985
12081987 12081988 12081990 12081993 12091986 12091988 12091991 12101984 12101985 12101988 12101989
12101990 12111984 12111985 12111990 12111991 12121212 1212121212 12121982 12121985 12121986
12121987 12121988 12121989 12121990 12121991 12131213 12131415 1213141516 12211221 12301230
12312312 123123123 1232323q 123321123 123321456 123321qwe 12340987 12341234 12344321 1234509876
12345123 1234512345 12345432 123454321 1234554321 12345612 123456123 12345654321 123456654321
12345677 12345678 123456789 1234567890 1234567890- 12345678900 1234567890a 1234567890q 1234567890z
1234567891 12345678910 123456789123 1234567899 123456789987654321 123456789a 123456789abc
123456789d 123456789k 123456789l 123456789m 123456789n 123456789o 123456789p 123456789q
123456789qwe 123456789qwerty 123456789r 123456789s 123456789v 123456789z 12345678a 12345678q
12345679 1234567a 1234567aa 1234567q 1234567u 12345687 123456987 123456aa 123456ab 123456abc
123456as 123456asd 123456qq 123456qqq 123456qw 123456qwe 123456qwerty 123456ru 12345abc 12345asd
12345qaz 12345qwe 12345qwer 12345qwert 12345qwerty 12348765 12349876 1234abcd 1234asdf 1234kekc
1234qwer 1234rewq 1234zxcv 123581321 12365478 123654789 12369874 123698741 123698745 123789456
123hfjdk147 123masha 123mudar 123qq123 123qwe123 123qwe456 123qweas 123qweasd 123qweasdzxc
123qwert 123qwerty 12locked 12qw12qw 12qw34er 12qwaszx 12qwerty 12s3t4p55 13011987 13011988
13021985 13021987 13021990 13021991 13031986 13031987 13031989 13041987 13041988 13041989 13051986
13051987 13051990 13061985 13061986 13061987 13061991 13071982 13071984 13071985 13071987 13071989
13071990 13081985 13081986 13091984 13091986 13091987 13091988 13101982 13101987 13101988 13101992
13111984 13111990 13121983 13121985 13131313 13243546 13245768 134679852 13572468 13576479
1357908642 135792468 1357924680 135798642 14011986 14011987 14011988 14011989 14021983 14021985
14021986 14021987 14021989 14021990 14031986 14031988 14031989 14041986 14041987 14041988 14041992
14051983 14051990 14061988 14061991 14071986 14071987 14071988 14081985 14081988 14081990 14091987
14091990 14101986 14101987 14101988 14111986 14121989 14141414 14725836 147258369 14785236
147852369 14789632 147896321 147896325 14881488 15011983 15011985 15011986 15011987 15011988
15011990 15021983 15021985 15021986 15021990 15031988 15031990 15031991 15041987 15041988 15051981
15051985 15051986 15051987 15051989 15051990 15051992 15061984 15061985 15061988 15071983 15071985
15071986 15071987 15071988 15071990 15081986 15081988 15081989 15081990 15081991 15091985 15091987
15091988 15091989 15101986 15101991 15111984 15111988 15111989 15121983 15121987 15151515 151nxjmt
15426378 159753123 159753456 16011986 16011987 16011989 16021987 16021988 16021990 16031986
16031988 16031990 16041985 16041988 16051985 16051987 16051988 16051989 16051990 16061985 16061986
16061987 16061988 16071987 16071991 16081986 16091987 16091988 16091990 16101986 16101987 16111982
16111990 16121986 16121987 16121991 17011987 17011990 17021985 17021987 17021989 17031987 17041985
17041986 17041987 17041991 17051983 17051987 17051988 17051989 17051990 17061986 17061987 17061988
17061989 17061991 17071985 17071986 17071987 17071989 17071990 17091985 17091987 17101986 17101987
17111985 17111987 17121985 17121987 17171717 17171717aa 18011985 18011986 18011987 18011988
18021984 18021986 18021987 18021988 18021992 18031986 18031988 18031991 18041986 18041990 18041991
18051987 18051988 18051989 18051990 18061985 18061990 18061991 18071986 18071989 18071990 18081988
18091985 18091986 18091987 18101985 18101987 18111983 18111986 18111987 18121812 18121983 18121984
18121985 18121987 18121990 18273645 18436572 19011987 19011989 19021990 19021991 19031985 19031987
19041985 19041986 19051983 19051986 19051987 19061985 19061987 19061990 19061991 19061992 19071986
19071988 19071989 19071990 19081986 19081987 19091983 19091988 19091990 19101986 19101987 19101990
19111985 19111986 19111987 19121988 19121989 19283746 192837465 19411945 19641964 19651965
19661966 19671967 19681968 19691969 19701970 19711971 19721972 19731973 19741974 19751975 19761976
19771977 19781978 19791979 19801980 19811981 19821982 19831983 19841984 19851985 19861986 19871987
19881988 19891989 19901990 19911991 19921992 19931993 19941994 19951995 19961996 19971997 19981998
19991999 1a2a3a4a 1a2a3a4a5a 1a2b3c4d 1a2b3c4d5e 1a2s3d4f 1a2s3d4f5g 1asshole 1basebal 1footbal
1hxboqg2 1jennife 1letmein 1michael 1million 1mustang 1passwor 1password 1q1q1q1q 1q2q3q4q
1q2w3e4r 1q2w3e4r5 1q2w3e4r5t 1q2w3e4r5t6y 1qa2ws3ed 1qaz!qaz 1qaz1qaz 1qaz2wsx 1qaz2wsx3edc
1qaz2wsx3edc4rfv 1qazxsw2 1qazxsw23edc 1qazzaq1 1qw23er4 1x2zkg8w 1z2x3c4v 1z2x3c4v5b 20002000
20011983 20011988 20011989 20012001 20021985 20021986 20021988 20022002 20031985 20031986 20031987
20031988 20031990 20031991 20031992 20032003 20041985 20041986 20041988 20041990 20051983 20051985
20051987 20051988 20051989 20052005 20061983 20061984 20061986 20061987 20061988 20061990 20061991
20071984 20071986 20071988 20081986 20081990 20081991 20082008 20091986 20091988 20091991 20092009
20101987 20101988 20102010 20111986 20121986 20121988 20121989 20202020 20spanks 21011988 21011989
21011991 21021985 21021987 21021988 21021989 21021990 21031984 21031985 21031986 21031987 21031988
21031990 21041985 21041987 21041991 21041992 21051986 21051988 21051990 21051991 21061985 21061986
21061988 21071987 21071989 21071992 21081985 21081987 21091989 21101983 21101986 21101987 21101988
21101989 21111983 21111985 21111986 21111989 21111990 21121985 21121986 21121989 21122112 21212121
22011985 22011986 22011988 22011992 22021985 22021986 22021988 22021989 22021990 22031984 22031986
22031991 22041985 22041986 22041987 22041988 22051986 22051987 22051988 22051989 22051991 22061941
22061984 22061985 22061987 22061988 22061989 22061990 22071983 22071984 22071985 22071986 22071987
22071988 22071989 22071990 22071991 22071992 22081983 22081986 22081991 22091984 22091986 22091988
22091990 22091991 22111985 22111988 22121983 22121986 22121987 22121989 22222222 2222222222
22334455 22446688 23011985 23011990 23021983 23021985 23021986 23021988 23021989 23021992 23031983
23031986 23031987 23031990 23041986 23041987 23041988 23041991 23051983 23051985 23051986 23051987
23051990 23051991 23061987 23061989 23061990 23061992 23071985 23091985 23091986 23091987 23091989
23091991 23101987 23111986 23111987 23111989 23121986 23176djivanfros 23232323 23456789 23skidoo
24011985 24011987 24011990 24021988 24021991 24031987 24031988 24031990 24041984 24041985 24041986
24041988 24051989 24051990 24061985 24061986 24061987 24061988 24061992 24071987 24071990 24071991
24071992 24081988 24091986 24091991 24101984 24101986 24101988 24101989 24101990 24101991 24111987
24111989 24111990 24121986 24121987 24121988 24121989 24242424 24681012 246813579 24682468
25011985 25011986 25011990 25011993 25021985 25021986 25021988 25031983 25031984 25031987 25031991
25041985 25041987 25041988 25041991 25051980 25051985 25051987 25051988 25061985 25061986 25061987
25071983 25071985 25071987 25071990 25081985 25081986 25081988 25081989 25091987 25091989 25091990
25091991 25101988 25101989 25111987 25111991 25121985 25121987 25252525 25800852 25802580 26011986
26011990 26021987 26021992 26031984 26031986 26031987 26031988 26031990 26031991 26041986 26041991
26051986 26051988 26061985 26061986 26061987 26061989 26061991 26071984 26071986 26071987 26071989
26081986 26091986 26101986 26101987 26111985 26121989 27011988 27021990 27021991 27021992 27031986
27031987 27031989 27031992 27041985 27041990 27051987 27061983 27061985 27061988 27071987 27071988
27081986 27081990 27091985 27091991 27111985 27111989 27111990 27272727 27731828 28011987 28011988
28021983 28021985 28021986 28021990 28021992 28031982 28041987 28041992 28051985 28051986 28051987
28051990 28061986 28061988 28071985 28071986 28071987 28081986 28081990 28101986 28121984 28121989
29011982 29011985 29011987 29031988 29031990 29041985 29041988 29041989 29051985 29051989 29051990
29051992 29061985 29061986 29061988 29061989 29061990 29071983 29071985 29081985 29081990 29091987
29111988 29111989 29121987 2wsx3edc 2wsxzaq1 30011985 30011986 30011987 30011990 30031986 30031988
30031992 30041985 30041986 30041987 30041991 30051985 30051986 30051987 30051988 30051989 30061983
30061987 30061988 30071986 30081984 30091989 30101988 30111987 30121985 30121986 30121987 30121988
31011987 31011990 31031987 31031988 31051982 31051985 31051987 31051991 31051993 31071990 31101987
31121985 31121986 31121987 31121988 31121990 31415926 321321321 32165498 321654987 3216732167
33333333 333666999 33rjhjds 34523452 369258147 369852147 3edc4rfv 3rjs1la7qe 43046721 43214321
44332211 44444444 44magnum 45454545 456456456 45m2do5bs 48151623 4815162342 4rfv3edc 50spanks
51505150 55555555 5555555555 55bgates 5hsu75kpot 5tgb6yhn 5wr2i7h8 609609609 66613666 66666666
67camaro 68camaro 69213124 69696969 69camaro 73501505 74108520 74123698 741258963 74185296
741852963 74227422 77777777 7777777777 7777777a 78945612 789456123 7894561230 78963214 789632145
789654123 789789789 7hrdnw23 7ugd5hip2j 87654321 88888888 890098890 89600506779 8j4ye3uz
8phrowz622 8phrowz624 911turbo 918273645 9293709b13 963258741 963852741 987456321 98765432
987654321 9876543210 987654321a 987654321q 99762000 99999999 999999999 9999999999 a1234567
a12345678 a123456789 a123456a a1a2a3a4 a1a2a3a4a5 a1b2c3d4 a1b2c3d4e5 a1s2d3f4 a1s2d3f4g5 aa123456
aaaa1111 aaaaaaa1 aaaaaaaa aaaaaaaaaa aardvark abc12345 abc123456 abcd1234 abcdefg1 abcdefgh
aberdeen abigail1 abnormal abracadabra abrakadabra absolute absolutely acapulco access14 access99
account1 achilles acidburn adgjmptw admin123 admin18533362 adrenalin adrienne adventur aerosmit
aerosmith afrodita agent007 agnieszka airborne airforce airplane akatsuki alabama1 albatros
alcatraz alejandr alejandro aleksander aleksandr aleksandra alessand alessandro alex1234 alexalex
alexande alexander alexander1 alexandr alexandra alexandre alexandru alfarome algernon aligator
alkaline allblack alleycat alliance alligator allison1 allnight allstars allstate almighty
alpha123 alphabet alphaman alterego amarillo amateurs ambrosia america1 american amethyst amoremio
amsterda amsterdam anaconda anakonda anastasi anastasia anastasiya anatoliy andersen anderson
andrew12 andromed andromeda andyod22 angel123 angel666 angeleye angelica angelika angelina
angelito angelofwar anhyeuem anna2614 annabell annmarie anteater antelope anthony1 anthony2
anthony7 antigone antonina antonio1 antoshka anything aolsucks apollo11 apollo13 apple123 applepie
aquafina aqualung aquarius arabella arcangel archange archangel architec argentin argentina
argonaut arizona1 arkansas armageddon armagedon armstron arsenal1 arsenalfc artofwar as123456
asd12345 asd123asd asdasd123 asdasdasd asdf1234 asdfasdf asdffdsa asdfg123 asdfg12345 asdfgh01
asdfghjk asdfghjkl asdfjkl; asdfqwer asdfzxcv asdqwe123 ashleigh asmodeus aspirine assassin
assassins assclown asshole1 assholes asslover assmunch astalavista asterios astonvil atlanta1
atlantic atlantis atreides attitude augustin augustus austin31 austin316 australi australia
avalanch avalanche avangard aviation awesome1 azertyui azertyuiop azsxdcfv babemagn babemagnet
baberuth babushka babybaby babybear babyblue babycake babydoll babyface babygirl babylon5 babylove
backbone backdoor backspac badabing badkarma badlands badnaamhere bajingan baldrick balloons
ballsack baltimor bangbang baphomet baracuda barakuda barbados barbara1 barcelon barcelona
bareback barefeet barefoot baritone barracud barracuda barselona basebal1 baseball baseball1
basketba basketbal basketball bastard1 bastards batman12 bayliner baywatch bbbbbbbb bcfields
beachbum bearbear bearcats beatles1 beatrice beautifu beautiful beckham7 beefcake beerbeer
beethove behemoth bellagio bendover benessere benjamin bergkamp berkeley bernhard besiktas
bettyboo bettyboop bigballs bigblack bigblock bigboobs bigbooty bigbucks bigbutts bigdaddy
bigdick1 bigdicks biggdogg bigmoney bignasty bigpenis bigpimpi bigpoppa bigpussy bigstick bigtruck
billabon billabong billiard billybob billyboy binladen biohazard bionicle birthday birthday1
birthday4 bisexual bismarck bismilla bismillah bitchass blablabla black123 blackass blackbel
blackbelt blackberry blackbir blackbird blackboy blackcat blackcoc blackcock blackdog blackhaw
blackhawk blackice blackie1 blackjac blackjack blacklab blackman blackops blackout bladerunner
blahblah blaster1 blessed1 blessing blink182 blizzard blondie1 blondinka bloopers blowfish
blowjobs blue1234 blueball bluebear bluebell blueberr bluebird blueblue bluedevi blueeyes bluefish
bluejays bluemoon bluenose bluesman bluestar bobafett bobdylan bobmarle bobmarley bollocks
bondarenko bonehead bonethug bonghits boogaloo bookcase bookworm boomboom borabora bordeaux
boris123 borussia boscoe01 bradford bradley1 brandon1 brasilia bravehea braveheart brewster
brian123 brianna1 brighton brigitte brittany brittney broadway broncos1 broodwar brooklyn brother1
brothers browndog browneye browning brucelee bruno123 bubba123 bubblegum bubbles1 buckeye1
buckeyes buckshot buckwhea budapest buddy123 buddyboy buddydog budlight budweise budweiser
buffalo1 buffalos bugsbunn building bukowski bulldawg bulldog1 bulldogs bullfrog bullseye bullshit
bullwink bumblebe bunghole buratino business businessbabe buster01 buster12 buttercu buttercup
butterfl butterfly buttfuck butthead butthole buttplug bynthytn c3por2d2 cabernet cableguy
cadillac calamity caliente californ california caligula calimero callaway callisto callofduty
camaross cambiami cambridg camelot1 cameltoe cameron1 campbell canadian candyass candyman cannabis
cannibal cannonda cantona7 capetown capital1 capitals capoeira capricor capricorn capslock
captain1 cardinal cardinals care1839 carebear carefree carlitos carnival carolina caroline
carpedie carpediem carpente carthage cartman1 cartoons casablanca casanova caseydog cashflow
cashmone cashmoney cassandr cassandra castillo catalina catdaddy catfight catherin catherine
catwoman cavalier cbr600rr cbr900rr cccccccc cdtnkfyf celebrity celticfc cerberus cezer121
cfitymrf chainsaw challeng chambers champagn champion chandler changeme characte chargers charisma
charlene charles1 charles2 charlie1 charlie123 charlie2 charlie3 charlies charlott charlotte
charlton checkers checkmat cheerleaers chelsea1 chemical chemistr cherokee cherries cheshire
chester1 chestnut chevelle chevrole chevrolet chevys10 chewbacc cheyanne cheyenne chicago1
chicken1 chickens chickenwing101 children chillout chipmunk chipper1 chiquita chocolat chocolate
chocolate1 choochoo chopper1 choppers chouchou chris123 chrisbln chrissy1 christia christian
christie christin christina christine christma christmas christop christophe christopher christy1
chrysler chuckles churchil cinnamon citibank civilwar cjkysirj clarence clarinet clarissa classic1
classics claudia1 claymore clemente cleopatr cleopatra clevelan clifford clippers clitlick
clitoris close-up cnfybckfd cobra427 cocacola cocksuck cocksucker codeblue coldbeer coldplay
collecti colombia colonial colorado colossus coltrane columbia columbus comanche comicbookdb
commande commando commodor complete computer computer1 concorde concrete confused conquest
consumer contortionist contract control1 coolbean coolcool cooldude coolgirl coolhand coolness
copenhag corleone cornhole cornwall corvet07 corvette costaric costello cosworth counterstrike
courtney coventry cowboys1 cowboyup crackers crawford crazybab crazyman creampie creatine creation
creative creature creepers crescent cricket1 criminal crimson1 cristian cristiano cristina
crjhgbjy crocodil cromwell crusader crystal1 ctdfcnjgjkm cucumber culinary cumeater customer
cutiepie cvbhyjdf cxfcnkbdfz cybersex cyclones cygnusx1 cynthia1 daedalus daffodil dagestan
dagobert daisydog daisymae dallas22 damage11 dangerou daniel12 danielle dannyboy daredevi
daredevil darkange darkangel darklord darkmoon darkness darkside darkstar darthvad darthvader
daughter davecole david123 davidoff davidson daydream daylight dbrnjhbz dddddddd deadhead deadpool
deadspin death666 deathnote deathrow deborah1 december deepblue deepthro deepthroat deerhunt
deeznuts deeznutz defender deftones delaware delldell delpiero demon666 derparol derrick1 designer
desperado destiny1 destroye detectiv detroit1 deutschland devil666 devildog devilman devilmaycry
dfcbkbcf dfktynby dfktynbyf dhjnvytyjub diamante diamond1 diamonds dickhead dickweed dietcoke
digital1 dilbert1 dilligaf dillweed dima1995 dingdong dinosaur dipstick director dirtbike dirtydog
discover dkflbckfd dkflbvbh dkflbvbhjdbx dkflbvbhjdyf doberman dodgeram dodgers1 doggydog
doggystyle doghouse dogpound dolemite dolphin1 dolphins domainlock2005 domenico dominator dominika
dominion dominiqu dontknow doomsday doorknob dortmund doughboy douglas1 downhill download downtown
dragon01 dragon11 dragon12 dragon123 dragon13 dragon69 dragon88 dragon99 dragonba dragonball
dragonballz dragonfl dragonfly dragrace dragster dreamcas dreamcast dreamer1 dreamers drjynfrnt
dropdead dropkick drowssap drpepper drummer1 dthjybrf dtkjcbgtl dtxyjcnm ducati99 duckhunt
ducksoup dudedude dukeduke duracell dustydog dutchess dutchman dynamite dzxtckfd earnhard earthlin
earthlink eastside eastwood eatmenow eatpussy eclipse1 edinburg eeeeeeee eggplant eightbal
einstein ejaculation ekaterina elbereth elcamino eldiablo eldorado electric electron element1
elements eleonora elephant eleven11 elisabet elizabet elizabeth elizaveta elvis123 emachines
embalmer emmanuel emmitt22 enforcer engineer england1 enter123 enternow enterpri enterprise
entrance envision erection ericsson escalade escorpio espresso essendon estrella eternity ethernet
euphoria evanescence evangeli evangelion evergree everlast everques everquest everton1 evgeniya
evildead evolutio evolution excalibu excalibur excellen exchange experienced exploite explorer
express1 f00tball f15eagle fabienne facebook facefuck failsafe fairlane faithful fakepass falstaff
fandango fantasia fantasti fantasy1 fantomas farscape fastball fastcars favorite2 favorite6
favorite7 favorite8 fearless feathers february federica federico feelgood fellatio ferguson
fernando ferrari1 festival ffffffff fgtkmcby fhvfutljy fidelity fightclub finalfantasy fireball
firebird fireblad fireblade firefigh firefire firehawk fireman1 firestar firestorm firewall
firework fishbone fishcake fisherma fisherman fishface fishfish fishhead fishing1 fishtank
fivestar fkbyjxrf fkmnthyfnbdf fktrcfylh fktrcfylhf fktyeirf flamengo flamingo flashman flathead
fletcher flexible flhtyfkby flintsto flipflop flipmode flipper1 florence florida1 flounder
flowers1 flvbybcnhfnjh flyers88 footbal1 football football1 footlove fordf150 fordf250 fordf350
fordtruc foreplay foreskin forever1 forgetit forklift formula1 forsaken fortress fountain foxhound
foxylady francesc francesco francis1 francisc francois frank123 frankie1 franklin freckles
fred1234 frederic frederik fredfred fredrick freebird freedom1 freedom2 freefall freefree freepass
freeporn freeuser freewill freiheit frenchie friday13 friendly friends1 friendster front242
frontera frontier fruitbat fuck_inside fuckedup fuckface fuckfest fuckfuck fuckhead fuckinside
fuckme69 fuckmehard fuckoff1 fuckshit fuckthat fuckthis fuckyeah fuckyou1 fuckyou123 fuckyou2
fujifilm fullback fullmoon function funhouse funnyman funstuff funtimes fussball futurama futyn007
fuzzball fyfcnfcbz fyfnjkbq fynjybyf fyutkbyf fyutkjxtr gabriel1 gabriela gabriele gabriell
galactic galadriel galeries gallaries gamecock gamecube gameover gandalf1 gangbang gangbanged
gangster ganjaman ganjubas gannibal garfield gargoyle gateway1 gateway2 gatorade gbgbcmrf gbhfvblf
geibcnbr general1 genesis1 geoffrey georgia1 geraldin germany1 geronimo gertrude gesperrt getmoney
getsdown gfgfvfvf gfhfljrc gfhjkm12 gfhjkm123 gfhjkmgfhjkm gfhjkzytn gggggggg ghbdtn12 ghbdtn123
ghbdtnbr ghbdtndctv ghbdtnrfrltkf ghblehjr ghbrjkbcn ghbywtccf ghhh47hj7649 ghjcnbnenrf
ghjcnjgfhjkm ghjcnjghjcnj ghjcnjnfr ghjdthrf ghjnjnbg ghjnjrjk ghjuhfvvf ghjvtntq ghostrider
ghtktcnm gianluca gigabyte gilligan ginscoot giovanni girfriend giuseppe giveitup gizmodo1
gladiato gladiator glendale glennwei glenwood gn56gn56 gobigred godbless godfathe godfather
godsmack godspeed godzilla gogators goldberg goldeney goldeneye goldfing goldfinger goldfish
goldrush goldstar goldwing golfball golfclub golfgolf golfing1 gonzales gonzalez good123654
goodfell goodgirl goodison goodlife goodluck goodstuf goodtime goodyear goofball gooseman gordon24
gorgeous gorillaz gotigers gotohell gotyoass grandpri grapeape graphics grateful graywolf greatone
greatsex greedisgood green123 greenbay greenday greenman greentea gregory1 gremlins gretchen
greyhoun greywolf groupd2013 gsxr1000 gtkmvtym gtnhjdbx guardian guesswho guillaum guillerm
guinness gulliver gunsling gunsmoke gy3yt2rgls gymnastic hahahaha hairball halflife halfmoon
hallo123 hallowee hamilton hammerhe handball handsome handyman hannibal hannover happines
happiness happy123 happyday happydog happyman hardball hardcock hardcore harddick hardrock
hardware hardwood hardwork harrison harrypotter hastings hatteras hattrick hawaii50 hawaiian
hawkeye1 hawkeyes hawkwind hawthorn hayabusa hd764nw5d7e1vb1 headless headshot heather1 heather2
hedgehog heineken heinlein heinrich hellfire hello123 hellohel hellokit hellokitty hellsing
hellyeah henderso hercules herewego heritage hermione hernande hershey1 hetfield hhhhhhhh hibernia
highbury highheel highland highlander highlife hilfiger hillbill hillside hitman47 hogwarts
holiday1 holidays hollywoo hollywood holyshit homebrew homemade homepage homer123 homework
hondacbr hondacivic honeybee honeybun honeydew hongkong honolulu hooligan hoosiers hooters1
hopeless hornyboy hornyguy hornyman horseman horsemen hotbabes hotchick hotgirls hotpussy hotsauce
hotstuff hounddog housewife housewifes houston1 hrvatska htubcnhfwbz hugetits hugoboss hulkster
hunter12 hurrican hurricane huskers1 hyperion ibilljpf ibilltes icecream icehouse idontkno
idontknow ignatius ihateyou ijrjkflrf ilikepie ilikesex illinois illmatic illumina illusion
ilovegod iloveher iloveporn ilovepussy ilovesex iloveyou iloveyou1 iloveyou2 ilya1234 ilya1992
immortal impalass imperial imperium implants imtheman india123 indiana1 infantry infiniti infinity
insanity insertion insertions insomnia inspiron interacial intercourse internet internet1 intrepid
intruder inuyasha invictus ireland1 irishman ironhors ironmaiden ironman1 isabella isabelle
islander istanbul istheman italiano iverson3 iwantsex j3qq4h7h2v jackass1 jackjack jackson1
jackson5 jakejake jakester jamaica1 james007 james123 jamesbon jamesbond january1 japanees
japanese jasmine1 jason123 jayhawks jbond007 jeanette jediknig jediknight jeepster jefferso
jeffrey1 jellybea jellybean jennifer jennifer1 jeremiah jermaine jessica1 jessica2 jesus123
jesus777 jiggaman jimmy123 jjjjjjjj johannes johncena johndeer johndeere johngalt johnjohn
johnson1 jonathan jonathon jordan23 joseluis josephin joshua12 joystick juancarlo juliette
junkmail junkyard jupiter1 jupiter2 jurassic just4fun justdoit justice1 justin12 justinbieber
juventus kakashka kamasutra kamikadze kamikaze kangaroo karamelka karolina katarina katerina
katharin katherin katherine kathleen kawasaki kayleigh kazanova kazantip kcchiefs kcj9wx5n
kenneth1 kennwort kentucky kenworth kevin123 keyboard keystone kfcnjxrf kickflip kicksass kikimora
killbill killemall killer12 killer123 killkill killzone kimberly kingfish kingking kingkong
kingsize kingston kirkland kisskiss kissmyas kissmyass kitty123 kittycat kittykat kjrjvjnbd
kkkkkkkk kleopatra klondike knickerless knickers knockers knuckles kochamcie komputer konstantin
kordell1 koroleva kovalenko krasnodar krasotka kristen1 kristian kristin1 kristina kristine
krokodil l58jkdjp! labrador lacrimosa lacrosse ladybird ladygaga laetitia lagwagon lakers24
lakeside lakewood lalakers lalalala lalaland lambchop lamborghini lancaste lancelot landrove
landscap lapochka laracroft laserjet lasttime lasvegas laurence lavalamp lawrence leavemealone
lebowski lebron23 leedsutd left4dead legoland lemmings lemonade lenochka leonardo leonidas
lesbians letmein1 letmein2 letmein22 letmeinn letmesee letsdoit letsfuck letsplay lexingky
lfitymrf libertad liberty1 licorice lifehack lifeisgood lifetime lighthou lighting lightnin
lightning lilwayne limewire limpbizkit lincoln1 lindsay1 lindsey1 lineage2 lionhear lionheart
lionking lipstick lisalisa littlema livelife liverpoo liverpool liverpool1 livewire lizaveta
ljxtymrf lkjhgfds lkjhgfdsa llllllll lockdown lockerroom logitech loglatin lokiloki lokomotiv
lol12345 lollipop lollypop lonesome lonestar lonewolf longdick longdong longhair longhorn
longhorns longjohn longlegs longshot loredana lorraine losangel losangeles lostsoul lotus123
love1234 lovefeet lovehate loveless lovelife lovelove loveme89 loverboy loverman lovesexy loveyou1
loveyou2 lowrider lucas123 lucky123 lucky777 luckydog luckyman luckyone ludacris lunchbox luscious
luv2epus macaroni macdaddy macgyver machoman macintos macintosh mackenzi madagaskar madala11
maddison madeline madison1 madonna1 magazine magellan magic123 magician magicman magnavox magnolia
mahalkita mailcreated5240 majestic makaveli makeitso maksimka malcolm1 mallorca mallrats mamacita
mamamama mamapapa mammamia mamochka manager1 manchest manchester mandarin mandingo mandolin
mandrake manhatta mannheim manunited mapet123456 maradona marajade marathon marauder marcello
marcius2 margaret margarit margarita margosha marianna marianne marigold marijuan marijuana
mariners marines1 marino13 mariposa marishka marjorie marketin marlboro marriage marseill
marseille marshall martinez maryjane maryland masamune maserati mash4077 master01 master11
master12 master123 masterbaiting masterbate masterbating masterkey mastermi mastermind
masturbation matchbox matthew1 matthew2 matthews matthias mattingl maurizio maurolarastefy
maverick mavericks maximilian maximus1 maxpayne maxpower maxwell1 mazafaka mazda323 mazda626
mazdarx7 mcdonald mckenzie meandyou meatball meathead meatloaf mechanic medicine megadeth megapass
megatron melanie1 melissa1 meowmeow mephisto mercedes mercury1 meredith meridian mersedes metal666
metalgear metalica metallic metallica metallica1 metropol michael1 michael2 michael3 michael8
michael9 michaela michaels michele1 michelle michelle1 michigan microlab microphone microsof
microsoft midnight mike1234 mikemike milamber milashka milenium milhouse military milkyway
millenium million1 millions millwall minecraft minemine minimoni ministry minnesot minotaur
miranda1 mischief misfit99 misiaczek mississi mississippi missouri mistress mitchell mmmmmmmm
mnbvcxz1 mobbdeep mobydick modelsne mohammad mohammed mojojojo molly123 mollydog momsanaladventure
monalisa money123 moneybag moneyman mongoose monique1 monkey11 monkey12 monkey123 monkey69
monkeybo monkeyboy monkeyma monkeyman monolith monopoly monster1 monsters montana1 montecar
montecarlo monterey montgom240 montreal montrose moonbeam moonligh moonlight moonshin moonshine
moonstar morozova morpheus morrison morrowind mortgage morticia mortimer mostwanted motdepasse
motherfu motherfucker motherlode motocros motocross motorcyc motorola mountain mousepad mudvayne
muffdive muhammad mulligan multiplelo multisyn munchkin mushroom music123 musicman mustang0
mustang1 mustang2 mustang3 mustang5 mustang6 mustang8 mustang9 mustangg mustangs myfriend mymother
mynameis mypasswo mypassword mysecret myspace1 myxworld nadezhda nancy123 napoleon nascar24
nastenka natalie1 natascha natasha1 natedogg nathalie nathanie national naughty1 nautilus navigato
navigator navyseal nbuhtyjr ncc1701a ncc1701d ncc1701e ncc74656 nebraska needforspeed nemesis1
nemrac58 netscape network1 nevermin nevermind nevermor nevermore newcastl newcastle neworder
newpass1 newpass6 newport1 newproject2004 newstart newyork1 nicetits nicholas nighthaw nightmar
nightmare nightowl nightwin nightwish nineball nineinch nintendo nirvana1 njdevils nnnnnnnn
nocturne nokia123 nokia3250 nokia5130 nokia5230 nokia5530 nokia5800 nokia6233 nokia6300 nokian70
nokian73 nolimits noname123 nonenone nonmembe nopassword normandy northern nosferat nosferatu
nostromo notebook nothing1 notredam notredame nounours november novifarm novikova nthvbyfnjh
ntktdbpjh nuttertools nwo4life nygiants nyyankee oblivion obsidian october1 october2 offshore
oklahoma oldschool omegared omsairam onepiece oooooooo open1234 opendoor opensesame operator
optimist optiplex orange12 oriflame original orlando1 oscar123 outsider overkill overlord p0015123
p0o9i8u7 p455w0rd p4ssw0rd p@ssw0rd pa55w0rd pa55word packard1 packers1 paintbal paintball
painting pakistan paladin1 pallmall palmtree panasoni panasonic pancakes pandora1 panorama
pantera1 panther1 panthers panties1 pantyhos pantyhose papabear papamama paperino papichul
papillon paradigm paradise paramedi paramore paranoid parlament parsifal partizan pasadena
pass1234 passcode passfind passion1 passions passmast passpass passport passthie passw0rd passwerd
passwor1 password password01 password1 password11 password12 password123 password2 password3
password9 password99 passwords passwort patches1 pathetic pathfind pathfinder patience patricia
patrick1 patriots patrizia patterso pavement pavilion payton34 peaceout peaches1 pearljam peekaboo
pegasus1 pendrago penelope penetrating penetration penguin1 penguins pennstat pennstate pennywis
pentagon penthous pentium4 pepsi123 peregrin perfect1 personal pertinant peterbil peternorth
peterpan peterson petrovich phaedrus phantom1 pharmacy phialpha philippe phillies phillip1
phillips phoenix1 phoenix2 pi314159 pianoman pictuers pictures piercing pimpdadd pimpdaddy
pimpster pineappl pineapple pinetree pinewood pingpong pinkfloy pinkfloyd pinnacle pioneer1
pipeline pippen33 piramida pitchers pizzahut pizzaman plastics platinum platypus playball playboy1
playboy2 playboys playmate playstat playstation playtime pleaseme pleasure plymouth poiuytre
poiuytrewq pokemon1 pokemon123 polarbea polaroid polniypizdec0211 polopolo pontiac1 poohbear
pool6123 poontang poophead pooppoop popcorn1 porkchop pornking pornographic pornpass pornporn
pornstar porsche1 porsche9 porsche911 portland portugal poseidon positive postov1000 power123
powerade powerman pppppppp prashant preacher precious predator prelude1 presario presiden
president pressure princesa princess princess1 princessa princeto pringles printing priscill
private1 priyanka progress property prospect prospero psychnau pufunga7782 pumpkin1 pumpkins
punisher punkrock puppydog pussy123 pussy4me pussycat pussyeat pussylicker pussylov pussylover
pussyman pyramid1 pyramids q1234567 q123456789 q1234567890 q1q2q3q4 q1q2q3q4q5 q1w2e3r4 q1w2e3r4t5
q1w2e3r4t5y6 q2w3e4r5 qawsedrf qawsedrftg qaz12345 qaz123wsx qazwsx12 qazwsx123 qazwsxed qazwsxedc
qazwsxedc1 qazwsxedc123 qazwsxedcrfv qazwsxedcrfvtgb qazxsw12 qazxsw123 qazxswedc qq123456
qqqqqqqq quant4307s question qw123456 qwaszx12 qwe123qwe qweasd123 qweasdzx qweasdzxc qweasdzxc123
qwedsazxc qweqwe123 qweqweqwe qwer1234 qwerasdf qwerasdfzxcv qwerqwer qwert123 qwert12345 qwerty11
qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwerty13 qwerty77 qwerty777 qwerty78
qwerty99 qwertyqwerty qwertyui qwertyuio qwertyuiop qwertzui qwqwqwqw r2d2c3p0 r2d2c3po r4e3w2q1
rachelle radiance radiohea radiohead ragnarok raiders1 railroad rainbow1 rainbow6 rainbows
raindrop rainyday raistlin rammstei rammstein ramstein ranchero rangers1 rapunzel rasputin
rastaman raymond1 rb26dett rdfhnbhf realmadrid rebbyt34 rebecca1 reckless recovery red12345
redalert redbaron redbeard reddevil reddwarf redhead1 redheads redlight redneck1 redshift redskins
redstorm redwing1 redwings reginald register reloaded remember remingto renegade republic
repytwjdf rerehepf rerfhfxf rerfhtre research resident revival47 revoluti revolution revolver
reynolds rfgbnjirf rfhfvtkmrf rfhfylfi rfhlbyfk rfhnjirf rfnthbyf rfntymrf rfvfcenhf rhbcnbyf
rhfcfdbwf rhfcfdxbr rhfcjnrf rhiannon rhjrjlbk rhtdtlrj riccardo richard1 richards richmond
rickster ricochet riffraff rightnow riverrat riversid rjhjktdf rjirfrgbde rjyatnrf rjycnfynby
rktjgfnhf roadkill roadking roadrunn roadrunner roadster roberto1 robinhood robinson robotech
robotics rochelle rocketma rocketman rockford rockhard rocknrol rocknroll rockroll rockstar
rockwell rocky123 rockydog rolltide romanova romantic romashka ronaldinho ronaldo7 rooster1
roosters rootbeer rootedit rosebud1 rosemary rosewood rrrrrrrr rsalinas rt6ytere runescape
rush2112 rushmore russell1 russian7 rustydog saab9000 sabrina1 sailboat sailfish salamander
salamandra salasana saltydog salvador salvator samadams samantha samantha1 sammy123 sammydog
sampson1 samsung1 sandiego sandman1 sandrine sandwich sandydog sanity72 santacru santiago saopaulo
sapphire sarajevo saratoga sasha123 sasha_007 satan666 satellit satriani saturday sausages
savannah saxophon scarface scarlett schastie scheisse schnuffi scirocco scissors scoobydo
scoobydoo scooter1 scorpio1 scorpion scorpions scotland scrabble scrapper screamer screwyou
scruffy1 seahawks seahorse sealteam searcher seattle1 sebastia sebastian sebastie security
seductive segblue2 seinfeld seminole semperfi senators sentinel sephirot sephiroth septembe
september seraphim serenity sergbest sergeant sersolution service1 services sevenof9 sexsexse
sexsexsex sexybabe sexybitch sexygirl sexylady sexymama sexysexy sfgiants shadow01 shadow11
shadow12 shadow13 shamrock shaney14 shanghai shannon1 sheepdog shepherd sheridan sherlock sherwood
shevchenko shinigami shitface shitfuck shithead shooter1 shopping shotokan showboat showtime
shredder sidekick sidewind sigmachi silverad silverado simpson1 simpsons sinclair singapor
sinister sithlord sixtynin sixtynine sk8ordie skateboa skateboard skeeter1 skinhead skipper1
skittles skorpion skydiver skyline1 skywalke skywalker slamdunk slapnuts slapshot slayer666
slimshad slimshady slipknot slippery slowhand smackdow smackdown smallville smartass smashing
smeghead smirnoff smirnova smoke420 smokedog smoothie smuggles snakeman snapshot sneakers snickers
sniffing snoogans snoopdog snoopdogg snowball snowbird snowboar snowboard snowflak snowflake
snowman1 snuggles sobriety soccer10 soccer11 soccer12 soccer13 socrates softball softtail software
sojdlg123aljg sokolova solidsnake solitude solnishko solution somerset somethin something songbird
sonyericsson sonyfuck sonysony sonyvaio sooners1 sopranos soso123aljg soulmate southern southpar
southpark southpaw southsid southside spaceman spanking sparhawk sparkles spartacu spartan1
spartan117 spartans speakers special1 specialk spectrum speedway spencer1 spiderma spiderman
spiderman1 spitfire splatter splinter spongebo spongebob sporting springer sprinter sprocket
squerting squirrel srinivas ssssssss stafford stallion stamford stampede standard stanford
stanislav stanley1 starbuck starbucks starcraf starcraft stardust starfire starfish stargate
starligh starlight starlite starship starstar start123 startrek starwars starwars1 steelers
steelhea stefanie stephane stephani stephanie stephen1 sterling steve123 stewart1 stickman
stigmata stiletto stinger1 stingray stocking stockton stonecol stonecold stonewal stoppedby
straight strange1 stranger strannik stratfor strawber strawberry streaming strength stripper
stroller sublime1 submarin suburban success1 suckcock suckdick suckmydick suikoden sullivan
summer01 summer12 summer69 summer99 summerti summertime sundance sunderla sundevil sunflowe
sunflower sunlight sunnyday sunshine sunshine1 super123 superbow superfly superior superman
superman1 supernov supernova supersonic supersta superstar surveyor survivor svetlana swallows
sweetass sweethea sweetnes sweetness sweetpea swimming swingers swinging swordfis swordfish
sylveste syncmaster syracuse tacobell taekwondo tailgate takamine talisman tamerlan tampabay
tanechka tangerin tarantul tarheels tashkent tazmania teacher1 teamwork technics tecumseh teddybea
teddybear telecast telephon telephone televizor temppass temptress tenerife tennesse tequiero
terminal terminat terminator terrapin terriers test1234 testibil testing1 testpass testtest
thailand thanatos thankyou thebeast theclash thedoors theflash theforce thegreat thelast1 thematri
thematrix theodore therock1 thesaint thething thetruth theworld thinkpad thirteen thisisit
thissuck thomas12 thompson thorsten thrasher threesom thuglife thumbnils thumper1 thunder1
thunderb thunderbird thursday tiberian tiberius tickling ticklish ticktock tiffany1 tiger123
tigercat tigger01 tigger12 timelord timothy1 timoxa94 tinkerbe tinkerbell titanic1 titanium
titleist titlover tkbpfdtnf together tokiohotel tomahawk tommyboy tomorrow tomservo tonyhawk
tooltime toonarmy topolino topsecre topsecret toriamos tortoise toshiba1 tottenha tottenham
touchdow touching toulouse trader12 trailers training transexual transfer transfor translator
traveler treasure treefrog trfnthbyf triangle trinidad trinitro trinitron trinity1 triplets
tristan1 trojans1 trombone trooper1 tropical trouble1 trousers trucker1 trucking trueblue truelove
truffles trumpet1 trustn01 trustno1 tryagain tttttttt tunafish turkey50 twilight ufhvjybz uhbujhbq
ultimate ultraman umbrella uncencored underdog underground undertak undertaker undertow unicorn1
universa universal universe universi university ursitesux username usmarine usmc0311 usuckballz1
utahjazz vacation vagabond valdepen valencia valentin valentina valentine valeriya valhalla
valkyrie valleywa vampire1 vampires vancouve vanessa1 vanguard vanhalen vaseline vasilisa vauxhall
vegas123 velocity vendetta venezuel verbatim vergeten veronica veronika verygood vfhbyjxrf
vfhnsirf vfhufhbnf vfitymrf vflfufcrfh vfnbkmlf vfntvfnbrf vfpfafrf vfrcbvrf vfvfgfgf vfvfvskfhfve
vfylfhby vicecity victoria victory1 viewsoni viewsonic vikings1 viktoria viktoriya vincent1
violator violetta viper123 vipergts virginia virginie vittorio vivitron vjqgfhjkm vkontakte
vladimir vladislav vladvlad vodafone volkodav volkswag volkswagen volleyba voyager1 vqsablpzla
vsjasnel12 vthctltc wachtwoord waffenss wanderer wapapapa warcraft warcraft3 wareagle warehous
warhamme warhammer warrior1 warriors wasdwasd washburn washingt washington waterboy waterfal
waterloo watermelon waterpolo waterski wdtnjxtr weare138 webhompas webmaste webmaster websol76
websolutions wednesda welcome1 welcome123 welcome2 wellhung wellingt werewolf westham1 westlife
westside westwood wetpussy wg8e3wjf whatever whatever1 whatwhat whiplash whiskers whistler
whiteboy whiteout whitesox whocares whoknows whoopass wildbill wildcard wildcat1 wildcats wildfire
wildwood william1 william2 williams winchest windmill windows1 windsurf wingchun wingzero winston1
winter12 winter99 wireless wisconsi wishbone wolfgang wolfpack wolverin wolverine wonderboy
wonderfu wonderful woodland woodstoc woodstock woodwork woofwoof wordpass worldcup wp2003wp
wrangler wrestler wrestlin wrestling wrinkle1 wrinkles wwwwwwww x72jhhu3z xxxxxxxx yamahar1
yamahar6 yankees1 yankees2 yaroslav yeahbaby year2005 yesterda yfcntymrf yfnfitymrf yjdsqgfhjkm
yogibear yorktown yosemite youandme yourmama ytngfhjkz ytrhjvfyn ytyfdbcnm yyyyyyyy z1x2c3v4
z1x2c3v4b5 zachary1 zanzibar zaq12345 zaq12wsx zaq1xsw2 zaq1xsw2cde3 zaqwsxcde zaqxswcde
zcxfcnkbdf zeppelin zerocool zildjian zolushka zxasqw12 zxcasdqwe zxcasdqwe123 zxcv1234 zxcvasdf
zxcvb123 zxcvb12345 zxcvbnm1 zxcvbnm123 zxcvvcxz zz8807zpl zzzzzzzz
`;
